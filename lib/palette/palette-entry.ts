import { deepFreeze, type BootFaults, type JsonSchema } from '../common/index.js';
import { inputSchemaWith, SchemaContext, type OperationDescriptor } from '../operations/index.js';
import { QueryInput, type ResolvedQueryPolicy } from '../query/index.js';
import type { PaletteEntry } from './palette.js';
import type { PaletteOptions } from './palette.options.js';
import { toolName } from './tool-name.js';

/** An operation as one palette tells of it: its query policy, narrowed there, is in sentence, schema and enforcement. */
export function paletteEntry(
  operation: OperationDescriptor,
  options: PaletteOptions,
  faults: BootFaults,
): PaletteEntry {
  const query = describeQuery(operation, options, faults);
  return Object.freeze({
    operation,
    queryPolicy: query?.policy,
    definition: deepFreeze({
      name: toolName(operation.name),
      description: [operation.description, query?.sentence].filter(Boolean).join(' '),
      inputSchema: query?.schema ?? operation.input.schema,
      annotations: operation.annotations,
    }),
  });
}

interface DescribedQuery {
  readonly sentence: string;
  /** Undefined where the palette narrows nothing. */
  readonly policy?: ResolvedQueryPolicy;
  readonly schema?: JsonSchema;
}

function describeQuery(
  operation: OperationDescriptor,
  options: PaletteOptions,
  faults: BootFaults,
): DescribedQuery | undefined {
  const input = [...operation.input.declared.values()].find((declared) => declared instanceof QueryInput);
  if (input === undefined) return undefined;
  const narrowing = options.queryPolicies?.find(({ readModel }) => readModel === input.readModel)?.policy;
  const resolution = { faults, where: `palette "${options.name}", ${operation.name}` };
  const prototype = operation.controller.prototype as object;
  const described = input.describeFor(prototype, operation.methodName, narrowing, resolution);
  for (const what of described.widened) {
    faults.add('palette_policy_widens', { palette: options.name, readModel: input.readModel.name, what });
  }
  if (narrowing === undefined) return { sentence: described.sentence };
  const context = new SchemaContext();
  const { properties = {} } = input.schemaFor(described.policy, context);
  return {
    sentence: described.sentence,
    policy: described.policy,
    schema: inputSchemaWith(operation.input, properties, context.definitions),
  };
}
