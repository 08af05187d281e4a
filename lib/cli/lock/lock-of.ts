import type { JsonSchema } from '../../common/index.js';
import type { EgressManifestService } from '../../egress/index.js';
import type { PaletteEntry } from '../../palette/index.js';
import type { ApplicationSurface, SurfaceOperation, SurfacePalette } from '../application/application-surface.js';
import { CommandError } from '../command-error.js';
import { canonical, canonicalHash, sortedRecord } from './canonical-json.js';
import {
  LOCKFILE_VERSION,
  type AgentLock,
  type EgressLock,
  type OperationLock,
  type PaletteLock,
  type ToolLock,
} from './palette-lock.js';
import { policyLock } from './policy-lock.js';

/**
 * The lock of an application: the same for the same surface, on every machine and at any time.
 *
 * @throws CommandError where egress is not known: a lock without it would promise too much
 */
export function lockOf(surface: ApplicationSurface): PaletteLock {
  if (surface.egress === undefined) {
    throw new CommandError(
      'Egress is configured by EgressHttpModule.forRootAsync: only a boot tells where data may leave to. Add --boot.',
    );
  }
  return {
    lockfileVersion: LOCKFILE_VERSION,
    operations: sortedRecord(surface.operations.map((each) => [each.descriptor.name, operationLock(each)])),
    palettes: sortedRecord(surface.palettes.map((each) => [each.palette.name, agentLock(each)])),
    egress: sortedRecord(surface.egress.map((service) => [service.name, egressLock(service)])),
  };
}

/** The file's text: indented, with a line break at the end. */
export function lockText(lock: PaletteLock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function operationLock({ descriptor, route }: SurfaceOperation): OperationLock {
  const { kind, description, input } = descriptor;
  return { kind, route, description, schema: canonicalHash(input.schema) };
}

function agentLock({ palette, include, entries }: SurfacePalette): AgentLock {
  return {
    readOnly: palette.readOnly,
    include,
    tools: sortedRecord(entries.map((entry) => [entry.definition.name, toolLock(entry)])),
  };
}

function toolLock(entry: PaletteEntry): ToolLock {
  const { operation, definition, argumentsSchema } = entry;
  const policy = policyLock(entry);
  return {
    operation: operation.name,
    annotations: canonical(definition.annotations) as ToolLock['annotations'],
    arguments: argumentsOf(argumentsSchema),
    ...(policy && { policy }),
    schema: canonicalHash(argumentsSchema),
    definition: canonicalHash(definition),
  };
}

function argumentsOf({ properties = {}, required = [] }: JsonSchema): ToolLock['arguments'] {
  return sortedRecord(
    Object.keys(properties).map((name) => [name, required.includes(name) ? 'required' : 'optional'] as const),
  );
}

function egressLock({ origin, basePath, sensitive, acknowledged, operations }: EgressManifestService): EgressLock {
  return {
    origin,
    basePath,
    sensitive,
    acknowledged: canonical(acknowledged),
    operations: sortedRecord(operations.map(({ name, method, path }) => [name, `${method} ${path}`])),
  };
}
