import type { ListPlan, Paging, SortKey } from '../ast.js';
import { defaultListSize } from '../policy/query-policy.options.js';
import type { ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { ParseContext, pointerTo } from './parse-context.js';
import { CURSOR_KEYS, parseCursorPaging } from './parse-cursor-paging.js';
import { parseFilter } from './parse-filter.js';
import { parsePaging, parseSize } from './parse-paging.js';
import { parseSorts, withTieBreakers } from './parse-sorts.js';
import { readClosedObject } from './read-object.js';
import { refuseTooLarge } from './request-size.js';
import { filterScope, returnableCode, sortScope } from './scopes.js';

type ListKey = 'filters' | 'sorts' | 'page' | 'size' | 'select' | (typeof CURSOR_KEYS)[number];

export const LIST_QUERY_KEYS: Readonly<Record<Paging['kind'], readonly ListKey[]>> = {
  offset: ['filters', 'sorts', 'page', 'size', 'select'],
  cursor: ['filters', 'sorts', 'size', ...CURSOR_KEYS, 'select'],
};

export interface ListQueryOptions {
  /** How a caller pages: by `page`, or by `after` and `before`. Default: `offset`. */
  readonly paging?: Paging['kind'];
  /** Seals cursors: nobody else can read or make one. Default: cursors are only bound to the query by a hash. */
  readonly cursorSecret?: string;
}

/**
 * Turns the raw JSON value of a list query into a plan: parsed, and checked against the policy.
 * @throws QueryError with all issues of the request at once
 */
export function parseListQuery(
  raw: unknown,
  policy: ResolvedQueryPolicy,
  { paging: kind = 'offset', cursorSecret }: ListQueryOptions = {},
): ListPlan {
  const context = new ParseContext(policy.limits, policy.zone);
  refuseTooLarge(raw, context);
  const query = readClosedObject(raw, LIST_QUERY_KEYS[kind], 'filter_shape_invalid', '', context) ?? {};
  const filter =
    query.filters === undefined ? undefined : parseFilter(query.filters, filterScope(policy), '/filters', context);
  const sorts = sortsOf(query.sorts, policy, context);
  const bounds = { maxSize: policy.maxSize, defaultSize: defaultListSize(policy) };
  const list = { policy, filter, sorts, secret: cursorSecret };
  const paging =
    kind === 'offset'
      ? parsePaging(query.page, query.size, bounds, context)
      : parseCursorPaging(query, parseSize(query.size, bounds, context), list, context);
  const returnable = query.select === undefined ? policy.returnable : parseSelect(query.select, policy, context);
  context.throwIfRefused();
  return Object.freeze({
    form: 'list',
    ...(filter === undefined ? {} : { filter }),
    sorts,
    paging: paging as Paging,
    ...(returnable === undefined ? {} : { returnable }),
  });
}

function sortsOf(value: unknown, policy: ResolvedQueryPolicy, context: ParseContext): readonly SortKey[] {
  const sorts = parseSorts(value, sortScope(policy), context);
  const tieBreakers = policy.tieBreaker === undefined ? [] : [policy.tieBreaker];
  return withTieBreakers(sorts.length > 0 ? sorts : policy.defaultSort, tieBreakers);
}

/** The fields that rows shall hold: the policy's own names, in its order. */
function parseSelect(
  value: unknown,
  policy: ResolvedQueryPolicy,
  context: ParseContext,
): readonly string[] | undefined {
  const names = policy.returnable ?? policy.readFields;
  if (!Array.isArray(value) || value.length === 0) {
    return context.refuse('filter_shape_invalid', '/select', { allowed: ['a list of at least one field', ...names] });
  }
  value.forEach((name: unknown, index) => {
    if (typeof name === 'string' && names.includes(name)) return;
    const field = typeof name === 'string' ? { field: name } : {};
    context.refuse(returnableCode(policy), pointerTo('/select', index), { ...field, allowed: names });
  });
  return Object.freeze(names.filter((name) => value.includes(name)));
}
