import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../../operations/index.js';
import { CURSOR_PATTERN, MAX_CURSOR_LENGTH } from '../cursor/index.js';
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
    size: sizeSchema(policy, defaultSize),
  };
}

/** `after`, `before` and `size`. A query has one of the first two at most, which no plain schema of properties says. */
export function cursorProperties(policy: ResolvedQueryPolicy, defaultSize: number): Record<string, JsonSchema> {
  const cursor: JsonSchema = { type: 'string', pattern: CURSOR_PATTERN, maxLength: MAX_CURSOR_LENGTH };
  return {
    after: {
      ...cursor,
      description: 'nextCursor of a page, for the page after it. The rest of the query stays the same.',
    },
    before: { ...cursor, description: 'prevCursor of a page, for the page before it.' },
    size: sizeSchema(policy, defaultSize),
  };
}

function sizeSchema(policy: ResolvedQueryPolicy, defaultSize: number): JsonSchema {
  return { type: 'integer', minimum: 1, maximum: policy.maxSize, default: defaultSize };
}
