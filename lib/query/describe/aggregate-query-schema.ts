import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import { MEASURE_FUNCTIONS } from '../kinds/index.js';
import { ALIAS_PATTERN } from '../parse/index.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';
import { filterSchema, havingSchema } from './filter-schema.js';
import { pagingProperties, sortOrderSchema } from './sort-and-page-schema.js';

/**
 * The JSON Schema of an aggregate query's body under a policy. What it accepts is accepted, but for what no schema can
 * say: what `listQuerySchema` leaves out, one of `$groups` and `$computed` at least, and that aliases are unique, not
 * reserved, and the query's own where they are used.
 */
export function aggregateQuerySchema(policy: ResolvedQueryPolicy, context: SchemaContext): JsonSchema {
  const groupable = Object.values(policy.aggregatable).filter((each) => each.isGroup);
  const hasFilters = Object.keys(policy.filterable).length > 0;
  return {
    type: 'object',
    properties: {
      ...(groupable.length === 0 ? {} : { $groups: named({ enum: groupable.map((each) => each.field.name) }) }),
      $computed: named(computedSchema(policy, hasFilters ? filterSchema(policy, context) : undefined)),
      $having: havingSchema(policy, context),
      ...(hasFilters ? { filters: filterSchema(policy, context) } : {}),
      sorts: { ...named(sortOrderSchema(context)), description: 'By aliases; the first key sorts first.' },
      ...pagingProperties(policy, policy.maxSize),
    },
    additionalProperties: false,
  };
}

/** An object whose keys are aliases, chosen by the caller. */
function named(value: JsonSchema): JsonSchema {
  return { type: 'object', propertyNames: { pattern: ALIAS_PATTERN }, additionalProperties: value };
}

function computedSchema(policy: ResolvedQueryPolicy, filter: JsonSchema | undefined): JsonSchema {
  const filterProperty: Record<string, JsonSchema> = filter === undefined ? {} : { filter };
  const count: JsonSchema = {
    anyOf: [{ type: 'null' }, { type: 'object', properties: filterProperty, additionalProperties: false }],
  };
  const measures = MEASURE_FUNCTIONS.flatMap((name) => {
    const fields = Object.values(policy.aggregatable).filter((each) => each.functions.includes(name));
    return fields.length === 0
      ? []
      : [
          [
            name,
            measureSchema(
              fields.map((each) => each.field.name),
              filterProperty,
            ),
          ],
        ];
  });
  return {
    type: 'object',
    properties: { $count: count, ...(Object.fromEntries(measures) as Record<string, JsonSchema>) },
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  };
}

function measureSchema(names: readonly string[], filterProperty: Record<string, JsonSchema>): JsonSchema {
  const field: JsonSchema = { enum: [...names] };
  return {
    anyOf: [
      field,
      { type: 'object', properties: { field, ...filterProperty }, required: ['field'], additionalProperties: false },
    ],
  };
}
