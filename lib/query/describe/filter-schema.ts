import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import { FILTER_OPERATORS, isPatternOperator, type FilterOperator } from '../kinds/index.js';
import { ALIAS_PATTERN } from '../parse/index.js';
import type { FilterableField, QueryLimits, ResolvedQueryPolicy } from '../policy/index.js';
import { groupBy } from './group-by.js';
import { operandSchema } from './operand-schema.js';

const SHORT_FORMS = 'One key an object; nest for more. A value alone means $eq, a list $in, null that there is none.';
const PATTERNS = ' $like: % any run, _ one character, \\ escapes; $ilike ignores ASCII case; $regex: RE2, a search.';

/** A `$ref` to the schema of a filter over the policy's filterable fields. */
export function filterSchema(policy: ResolvedQueryPolicy, context: SchemaContext): JsonSchema {
  return context.define(policy.filterable, `${policy.readModel.name}Filter`, () => {
    const fields = Object.values(policy.filterable);
    const hasPatterns = fields.some(({ operators }) => operators.some(isPatternOperator));
    return {
      ...combinators(filterSchema(policy, context), {
        type: 'object',
        properties: fieldConditions(fields, policy, context),
        additionalProperties: false,
        minProperties: 1,
      }),
      description: hasPatterns ? SHORT_FORMS + PATTERNS : SHORT_FORMS,
    };
  });
}

/** A `$ref` to the schema of `$having`: a filter over the aliases of the query itself, whose kinds it decides. */
export function havingSchema(policy: ResolvedQueryPolicy, context: SchemaContext): JsonSchema {
  return context.define(policy.aggregatable, `${policy.readModel.name}Having`, () =>
    combinators(havingSchema(policy, context), {
      type: 'object',
      propertyNames: { pattern: ALIAS_PATTERN },
      additionalProperties: conditionSchema(FILTER_OPERATORS, aliasOperand(context), policy.limits),
      minProperties: 1,
    }),
  );
}

const ALIAS_OPERAND: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

/** The kind of an alias is the query's to decide. */
function aliasOperand(context: SchemaContext): JsonSchema {
  return context.define(ALIAS_OPERAND, 'Value', () => structuredClone(ALIAS_OPERAND));
}

function combinators(self: JsonSchema, values: JsonSchema): JsonSchema {
  const list: JsonSchema = { type: 'array', items: self, minItems: 1 };
  return {
    type: 'object',
    properties: { $values: values, $and: list, $or: list, $not: self },
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  };
}

/** One schema for all fields of the same kind and operators. */
function fieldConditions(
  fields: readonly FilterableField[],
  policy: ResolvedQueryPolicy,
  context: SchemaContext,
): Record<string, JsonSchema> {
  const { name: readModelName } = policy.readModel;
  const groups = groupBy(fields, ({ field, operators }) => {
    return [field.kind, field.kind === 'enum' ? field.name : '', ...operators].join(' ');
  });
  const schemas = groups.flatMap((group) => {
    const { field, operators } = group[0] as FilterableField;
    const build = () => conditionSchema(operators, operandSchema(field, readModelName, context), policy.limits);
    const schema = group.length === 1 ? build() : context.define(group, `${readModelName}_${field.kind}`, build);
    return group.map((each) => [each.field.name, schema] as const);
  });
  return Object.fromEntries(schemas);
}

/** The operator map of a field, and its short forms. */
function conditionSchema(operators: readonly FilterOperator[], operand: JsonSchema, limits: QueryLimits): JsonSchema {
  const list: JsonSchema = { type: 'array', items: operand, maxItems: limits.maxListLength };
  const map: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(operators.map((each) => [each, operatorSchema(each, operand, list, limits)])),
    additionalProperties: false,
    minProperties: 1,
  };
  const short: JsonSchema[] = [
    ...(operators.includes('$eq') ? [operand] : []),
    ...(operators.includes('$in') ? [list] : []),
    ...(operators.includes('$null') ? [{ type: 'null' } as const] : []),
  ];
  return short.length === 0 ? map : { anyOf: [...short, map] };
}

function operatorSchema(
  operator: FilterOperator,
  operand: JsonSchema,
  list: JsonSchema,
  limits: QueryLimits,
): JsonSchema {
  if (operator === '$null') return { type: 'boolean' };
  if (operator === '$in' || operator === '$nin') return list;
  if (!isPatternOperator(operator)) return operand;
  const pattern: JsonSchema = { type: 'string', maxLength: limits.maxPatternLength };
  return { anyOf: [pattern, { type: 'array', items: pattern, maxItems: limits.maxPatterns }] };
}
