import { deepFreeze, type BootFaults, type JsonSchema } from '../common/index.js';
import { inputSchemaWith, SchemaContext, type ApprovalRule, type OperationDescriptor } from '../operations/index.js';
import { QueryInput, type ResolvedQueryPolicy } from '../query/index.js';
import { argumentAliases, type FilterGrammarBuilder } from './formats/index.js';
import type { PaletteEntry } from './palette.js';
import type { PaletteOptions } from './palette.options.js';
import { toolName } from './tool-name.js';

/**
 * An operation as one palette tells of it: its query policy, narrowed there, is in sentence, schema and enforcement.
 * @param grammar takes the filter grammar out of the definition
 */
export function paletteEntry(
  operation: OperationDescriptor,
  options: PaletteOptions,
  faults: BootFaults,
  grammar?: FilterGrammarBuilder,
): PaletteEntry {
  const query = describeQuery(operation, options, faults, grammar);
  const argumentsSchema = query?.schema ?? operation.input.schema;
  const approvalRules = approvalRulesOf(operation, options);
  return Object.freeze({
    operation,
    queryPolicy: query?.policy,
    approvalRules,
    argumentsSchema: deepFreeze(argumentsSchema),
    argumentAliases: argumentAliases(argumentsSchema),
    pointsTo: query?.pointsTo ?? [],
    nullMeansAbsent: options.nullMeansAbsent ?? false,
    definition: deepFreeze({
      name: toolName(operation.name),
      description: [operation.description, query?.sentence, approvalSentence(approvalRules)].filter(Boolean).join(' '),
      inputSchema: query?.toldSchema ?? argumentsSchema,
      annotations: operation.annotations,
    }),
  });
}

function approvalRulesOf(operation: OperationDescriptor, { approvals = {} }: PaletteOptions): readonly ApprovalRule[] {
  const added = Object.hasOwn(approvals, operation.name) ? approvals[operation.name] : undefined;
  return Object.freeze([operation.approval, added].filter((rule) => rule !== undefined));
}

/** What a model is told of it: the words of the reasons are for the person who decides. */
function approvalSentence(rules: readonly ApprovalRule[]): string | undefined {
  if (rules.length === 0) return undefined;
  const isCertain = rules.some((rule) => typeof rule === 'string');
  return isCertain ? 'A person must approve each call.' : 'A person may have to approve the call.';
}

interface DescribedQuery {
  readonly sentence: string;
  /** Undefined where the palette narrows nothing. */
  readonly policy?: ResolvedQueryPolicy;
  readonly schema?: JsonSchema;
  /** The schema without the filter grammar, where that is told elsewhere. */
  readonly toldSchema?: JsonSchema;
  readonly pointsTo?: readonly string[];
}

function describeQuery(
  operation: OperationDescriptor,
  options: PaletteOptions,
  faults: BootFaults,
  grammar: FilterGrammarBuilder | undefined,
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
  const { sentence, policy } = described;
  if (narrowing === undefined && grammar === undefined) return { sentence };
  const context = new SchemaContext();
  const declared = input.schemaFor(policy, context);
  const told = grammar?.take(declared.properties ?? {}, context.definitions);
  return {
    sentence,
    ...(narrowing && { policy }),
    schema: inputSchemaWith(operation.input, declared, context.definitions),
    ...(told && {
      toldSchema: inputSchemaWith(
        operation.input,
        { ...declared, properties: { ...told.properties } },
        told.definitions,
      ),
      pointsTo: told.pointsTo,
    }),
  };
}
