import { deepFreeze } from '../common/index.js';
import type { EgressService } from './declaration/egress-service.js';
import type { DataEgressAcknowledgement } from './egress-http.options.js';
import type { EgressServiceSettings } from './gate/egress-settings.js';

/** One service as a reviewer reads it. */
export interface EgressManifestService {
  readonly name: string;
  readonly origin: string;
  /** Path prefix, `/` for none. */
  readonly basePath: string;
  readonly sensitive: boolean;
  /** False, true, or by whom, why and when. */
  readonly acknowledged: boolean | DataEgressAcknowledgement;
  /** Empty where the service is configured and no module declares it. */
  readonly operations: readonly EgressManifestOperation[];
}

export interface EgressManifestOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** What may leave this application, where to, and who accepted it: plain JSON, in the order of names. No secrets. */
export class EgressManifest {
  readonly services: readonly EgressManifestService[];

  constructor(settings: Iterable<EgressServiceSettings>, declared: ReadonlyMap<string, EgressService>) {
    const services = [...settings].map((each) => manifestService(each, declared.get(each.name)));
    this.services = deepFreeze(services.sort(byName));
  }

  toJSON(): { readonly services: readonly EgressManifestService[] } {
    return { services: this.services };
  }
}

function manifestService(settings: EgressServiceSettings, service: EgressService | undefined): EgressManifestService {
  const operations = (service?.operations ?? []).map(({ name, method, path }) => ({ name, method, path }));
  return {
    name: settings.name,
    origin: settings.base.origin,
    basePath: settings.base.path || '/',
    sensitive: settings.isSensitive,
    acknowledged: settings.acknowledged,
    operations: operations.sort(byName),
  };
}

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return first.name < second.name ? -1 : 1;
}
