import type { ModulesContainer } from '@nestjs/core';
import { bootFault, PaletteBootError, type BootFault } from '../../common/index.js';
import { EgressManifest, type EgressManifestService, type EgressService } from '../../egress/index.js';
import { MODULE_OPTIONS_TOKEN } from '../../egress/egress-http.module-definition.js';
import { EgressRuntime } from '../../egress/egress-runtime.js';
import { EGRESS_FEATURE } from '../../egress/egress.tokens.js';

export interface SurfaceEgress {
  /** Undefined where the options come from a factory that preview mode does not run. */
  readonly services: readonly EgressManifestService[] | undefined;
  readonly faults: readonly BootFault[];
}

/** What the application's egress module lets out: from the manifest where there is one, else from its options. */
export function egressServices(modules: ModulesContainer): SurfaceEgress {
  const root = [...modules.values()].find(({ providers }) => providers.has(EgressRuntime));
  if (root === undefined) return { services: [], faults: unconfigured(modules) };
  const manifest: unknown = root.providers.get(EgressManifest)?.instance;
  if (manifest instanceof EgressManifest) return { services: manifest.services, faults: [] };
  const options = root.providers.get(MODULE_OPTIONS_TOKEN);
  return options?.metatype ? { services: undefined, faults: [] } : fromOptions(options?.instance, modules);
}

function fromOptions(options: unknown, modules: ModulesContainer): SurfaceEgress {
  try {
    return { services: new EgressRuntime(options, modules).manifest.services, faults: [] };
  } catch (error) {
    if (!PaletteBootError.isInstance(error)) throw error;
    return { services: [], faults: error.faults };
  }
}

/** A boot finds these when it makes the clients. */
function unconfigured(modules: ModulesContainer): BootFault[] {
  const declared = [...modules.values()].flatMap(
    ({ providers }) => (providers.get(EGRESS_FEATURE)?.instance ?? []) as readonly EgressService[],
  );
  return declared.map(({ name }) => bootFault('egress_service_unconfigured', { service: name }));
}
