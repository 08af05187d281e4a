import type { ListPlan } from '../ast.js';
import { defaultListSize } from '../policy/query-policy.options.js';
import type { ResolvedQueryPolicy } from '../policy/resolved-query-policy.js';
import { ParseContext, pointerTo } from './parse-context.js';
import { parseFilter } from './parse-filter.js';
import { parsePaging } from './parse-paging.js';
import { parseSorts, withTieBreakers } from './parse-sorts.js';
import { readClosedObject } from './read-object.js';
import { refuseTooLarge } from './request-size.js';
import { filterScope, returnableCode, sortScope } from './scopes.js';

export const LIST_QUERY_KEYS = ['filters', 'sorts', 'page', 'size', 'select'] as const;

/**
 * Turns the raw JSON value of a list query into a plan: parsed, and checked against the policy.
 * @throws QueryError with all issues of the request at once
 */
export function parseListQuery(raw: unknown, policy: ResolvedQueryPolicy): ListPlan {
  const context = new ParseContext(policy.limits, policy.zone);
  refuseTooLarge(raw, context);
  const query = readClosedObject(raw, LIST_QUERY_KEYS, 'filter_shape_invalid', '', context) ?? {};
  const filter =
    query.filters === undefined ? undefined : parseFilter(query.filters, filterScope(policy), '/filters', context);
  const sorts = parseSorts(query.sorts, sortScope(policy), context);
  const { maxSize } = policy;
  const paging = parsePaging(query.page, query.size, { maxSize, defaultSize: defaultListSize(policy) }, context);
  const returnable = query.select === undefined ? policy.returnable : parseSelect(query.select, policy, context);
  context.throwIfRefused();
  return Object.freeze({
    form: 'list',
    ...(filter === undefined ? {} : { filter }),
    sorts: withTieBreakers(
      sorts.length > 0 ? sorts : policy.defaultSort,
      policy.tieBreaker === undefined ? [] : [policy.tieBreaker],
    ),
    paging,
    ...(returnable === undefined ? {} : { returnable }),
  });
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
