import { describe, expect, it } from '@jest/globals';
import { QueryError, parseAggregateQuery, parseListQuery, type QueryIssue } from '../../lib/query/index.js';
import { productPolicy } from './product-read.js';

const policy = productPolicy({
  filterable: { title: ['$eq', '$like'], price: ['$gte', '$lte'], status: ['$eq', '$in'] },
  sortable: ['price'],
  aggregatable: { status: 'group', price: ['$sum'] },
  returnable: ['id', 'title'],
  maxSize: 50,
});

type Json = Record<string, unknown>;

function issuesOf(query: unknown): readonly QueryIssue[] {
  try {
    const isAggregate = Object.keys(query as object).some((key) => key.startsWith('$'));
    if (isAggregate) parseAggregateQuery(query, policy);
    else parseListQuery(query, policy);
    return [];
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
}

/** What names stand for in a query: an issue at such a place is mended by another key, any other by another value. */
const KEYED: readonly QueryIssue['code'][] = [
  'field_not_filterable',
  'field_not_sortable',
  'filter_operator_unknown',
  'filter_operator_not_allowed',
  'aggregate_function_unknown',
];

/** Puts one of `allowed` in the place of what was refused, knowing nothing else of the query or of the policy. */
function mended(query: unknown, issue: QueryIssue): unknown {
  const copy = structuredClone(query) as Json;
  const steps = issue.pointer.split('/').slice(1);
  const last = steps.pop() ?? '';
  const parent = steps.reduce<Json>((at, step) => at[step] as Json, copy);
  const allowed = nearest(last, issue.allowed ?? []);
  if (!KEYED.includes(issue.code)) parent[last] = allowed;
  // A caller who wrote a field or an operator knows what it wanted of it: only the name is exchanged.
  else {
    parent[String(allowed)] = parent[last];
    delete parent[last];
  }
  return copy;
}

/** What starts as the refused name does, or else the first. */
function nearest(name: string, allowed: NonNullable<QueryIssue['allowed']>): string | number | boolean | undefined {
  return allowed.find((each) => String(each).startsWith(name.slice(0, 2))) ?? allowed[0];
}

describe('the second attempt', () => {
  it.each<[string, object]>([
    ['a filter field', { filters: { $values: { titel: 'x' } } }],
    [
      'a withheld filter field',
      { filters: { $and: [{ $not: { $values: { titles: 'x' } } }, { $values: { stock: ['draft'] } }] } },
    ],
    ['an operator that does not exist', { filters: { $values: { title: { $contains: 'x' } } } }],
    ['an operator that is not allowed', { filters: { $or: [{ $values: { price: { $gt: 5 } } }] } }],
    ['an enum value', { filters: { $values: { status: 'lost' } } }],
    ['a sort field', { sorts: { title: 'desc' } }],
    ['a direction', { sorts: { price: 'down' } }],
    ['a place of nulls', { sorts: { price: { dir: 'asc', nulls: 'middle' } } }],
    ['a selected field', { select: ['id', 'price'] }],
    ['a size', { size: 500 }],
    ['a page', { page: 0 }],
    ['an aggregate function', { $computed: { n: { $total: 'price' } } }],
    ['a function that no field has', { $computed: { n: { $avg: 'price' }, m: { $max: { field: 'price' } } } }],
    ['a measured field', { $computed: { n: { $sum: 'title' } } }],
    [
      'a measured field with a filter',
      { $computed: { n: { $sum: { field: 'cost', filter: { $values: { stock: 'draft' } } } } } },
    ],
    ['a group', { $groups: { g: 'category' }, $computed: { n: { $count: null } } }],
    ['an alias in $having', { $groups: { g: 'status' }, $having: { $values: { h: 'draft' } } }],
    ['an alias in sorts', { $groups: { g: 'status' }, sorts: { h: 'asc' } }],
    [
      'everything at once',
      {
        filters: { $values: { titel: { $eq: 'x' }, price: { $gt: 5 } } },
        sorts: { title: 'asc' },
        select: ['no'],
        size: 0,
      },
    ],
  ])('is right where the first was wrong in %s, by what `allowed` says alone', (_what, query) => {
    const first = issuesOf(query);
    expect(first.length).toBeGreaterThan(0);
    expect(first.every((issue) => issue.allowed !== undefined && issue.pointer !== '')).toBe(true);
    const second = first.reduce<unknown>(mended, query);
    expect([second, issuesOf(remeasured(second))]).toEqual([second, []]);
  });
});

/** `$count` takes no field: the one function that does not do with the operand of another. */
function remeasured(query: unknown): unknown {
  return JSON.parse(JSON.stringify(query), (key, value: unknown) => (key === '$count' ? null : value));
}
