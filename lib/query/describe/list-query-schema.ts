import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import type { Paging } from '../ast.js';
import { defaultListSize, type ResolvedQueryPolicy } from '../policy/index.js';
import { filterSchema } from './filter-schema.js';
import { cursorProperties, pagingProperties, sortOrderSchema } from './sort-and-page-schema.js';

/**
 * The JSON Schema of a list query's body under a policy. What it accepts is accepted, but for what no schema can say:
 * depth and number of conditions, size, calendar, syntax of patterns, range of integers, which cursors there are.
 */
export function listQuerySchema(
  policy: ResolvedQueryPolicy,
  context: SchemaContext,
  paging: Paging['kind'] = 'offset',
): JsonSchema {
  const sortable = Object.keys(policy.sortable);
  const returnable = policy.returnable ?? policy.readFields;
  const pageProperties = paging === 'offset' ? pagingProperties : cursorProperties;
  const properties: Record<string, JsonSchema> = pageProperties(policy, defaultListSize(policy));
  if (Object.keys(policy.filterable).length > 0) properties['filters'] = filterSchema(policy, context);
  if (sortable.length > 0) properties['sorts'] = sortsSchema(sortable, context);
  if (returnable.length > 0) {
    properties['select'] = { type: 'array', items: { enum: [...returnable] }, minItems: 1 };
  }
  return { type: 'object', properties, additionalProperties: false };
}

function sortsSchema(sortable: readonly string[], context: SchemaContext): JsonSchema {
  const order = sortOrderSchema(context);
  return {
    type: 'object',
    properties: Object.fromEntries(sortable.map((name) => [name, order])),
    additionalProperties: false,
    description: 'The first key sorts first.',
  };
}
