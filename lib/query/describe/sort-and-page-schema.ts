import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';

const SORT_ORDER: JsonSchema = {
  anyOf: [
    { enum: ['asc', 'desc'] },
    {
      type: 'object',
      properties: { dir: { enum: ['asc', 'desc'] }, nulls: { enum: ['first', 'last'] } },
      required: ['dir'],
      additionalProperties: false,
    },
  ],
};

/** What may stand as the value of a sort; stated once in a document. */
export function sortOrderSchema(context: SchemaContext): JsonSchema {
  return context.define(SORT_ORDER, 'SortOrder', () => structuredClone(SORT_ORDER));
}

/** `page` and `size`, with the bounds that are enforced. */
export function pagingProperties(policy: ResolvedQueryPolicy, defaultSize: number): Record<string, JsonSchema> {
  return {
    page: { type: 'integer', minimum: 1, maximum: policy.limits.maxPage, default: 1 },
    size: { type: 'integer', minimum: 1, maximum: policy.maxSize, default: defaultSize },
  };
}
