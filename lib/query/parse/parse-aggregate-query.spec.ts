import { describe, expect, it } from '@jest/globals';
import { NoteRead, policyOf, productPolicy } from '../../../test/query/product-read.js';
import { QueryError, type QueryIssue } from '../query-error.js';
import { parseAggregateQuery } from './parse-aggregate-query.js';

const policy = productPolicy();

function issuesOf(raw: unknown, under = policy): readonly QueryIssue[] {
  try {
    parseAggregateQuery(raw, under);
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
  return [];
}

const codesOf = (raw: unknown, under = policy) => issuesOf(raw, under).map((issue) => issue.code);

describe('an aggregate query that fits', () => {
  it('becomes a plan with the fields of the policy and columns that no caller named', () => {
    const plan = parseAggregateQuery(
      {
        $groups: { kind: 'status' },
        $computed: {
          n: { $count: null },
          spent: { $sum: { field: 'cost', filter: { $values: { sold: true } } } },
          mean: { $avg: 'stock' },
          first: { $min: 'createdAt' },
        },
        $having: { $values: { n: { $gte: 2 } } },
        filters: { $values: { price: { $gt: 1 } } },
        sorts: { spent: 'desc' },
        size: 5,
      },
      policy,
    );
    expect(plan.groups).toEqual([
      {
        field: policy.fields['status'],
        output: { name: 'kind', column: 'g0', kind: 'enum', enumValues: ['draft', 'published'] },
      },
    ]);
    expect(plan.computed.map((each) => [each.function, each.output])).toEqual([
      ['$count', { name: 'n', column: 'c0', kind: 'int', enumValues: [] }],
      ['$sum', { name: 'spent', column: 'c1', kind: 'decimal', enumValues: [] }],
      ['$avg', { name: 'mean', column: 'c2', kind: 'number', enumValues: [] }],
      ['$min', { name: 'first', column: 'c3', kind: 'datetime', enumValues: [] }],
    ]);
    expect(plan.computed[1]).toMatchObject({ field: policy.fields['cost'], filter: { type: 'comparison' } });
    expect(plan.having).toMatchObject({ operator: '$gte', operand: 2, field: { column: 'c0' } });
    expect(plan.sorts.map((sort) => [sort.field.name, sort.direction])).toEqual([
      ['spent', 'desc'],
      ['kind', 'asc'],
    ]);
    expect(plan.paging).toEqual({ kind: 'offset', page: 1, size: 5, offset: 0 });
  });

  it('has up to the largest page of groups where it says nothing', () => {
    expect(parseAggregateQuery({ $groups: { s: 'status' } }, policy).paging.size).toBe(100);
  });

  it('counts where nothing may be aggregated', () => {
    const closed = productPolicy({ aggregatable: [] });
    expect(codesOf({ $computed: { n: { $count: {} } } }, closed)).toEqual([]);
    expect(codesOf({ $groups: { s: 'status' } }, closed)).toEqual(['field_not_aggregatable']);
  });

  it('sums integers as a number, which may leave their range', () => {
    const plan = parseAggregateQuery({ $computed: { s: { $sum: 'stock' }, v: { $sum: 'views' } } }, policy);
    expect(plan.computed.map((each) => each.output.kind)).toEqual(['number', 'bigint']);
  });
});

describe('an aggregate query that does not fit', () => {
  it.each<[string, unknown, QueryIssue]>([
    ['nothing to compute', {}, { code: 'aggregate_shape_invalid', pointer: '' }],
    ['empty parts', { $groups: {}, $computed: {} }, { code: 'aggregate_shape_invalid', pointer: '' }],
    [
      'an unknown key',
      { $computed: { n: { $count: null } }, having: {} },
      { code: 'aggregate_shape_invalid', pointer: '/having' },
    ],
    ['groups as a list', { $groups: ['status'] }, { code: 'aggregate_shape_invalid', pointer: '/$groups' }],
    [
      'a group of an object',
      { $groups: { s: { field: 'status' } } },
      { code: 'field_not_aggregatable', pointer: '/$groups/s' },
    ],
    ['no function', { $computed: { n: {} } }, { code: 'aggregate_shape_invalid', pointer: '/$computed/n' }],
    [
      'two functions',
      { $computed: { n: { $sum: 'price', $avg: 'price' } } },
      { code: 'aggregate_shape_invalid', pointer: '/$computed/n' },
    ],
    [
      'an unknown function',
      { $computed: { n: { $median: 'price' } } },
      { code: 'aggregate_function_unknown', pointer: '/$computed/n/$median' },
    ],
    [
      'an inherited function',
      { $computed: { n: { constructor: 'price' } } },
      { code: 'aggregate_function_unknown', pointer: '/$computed/n/constructor' },
    ],
    [
      'a count of a field',
      { $computed: { n: { $count: 'price' } } },
      { code: 'aggregate_shape_invalid', pointer: '/$computed/n/$count' },
    ],
    [
      'a sum of nothing',
      { $computed: { n: { $sum: {} } } },
      { code: 'field_not_aggregatable', pointer: '/$computed/n/$sum/field' },
    ],
    [
      'a sum of texts',
      { $computed: { n: { $sum: 'title' } } },
      { code: 'field_not_aggregatable', pointer: '/$computed/n/$sum' },
    ],
    [
      'an alias with a space',
      { $groups: { 'a b': 'status' } },
      { code: 'aggregate_alias_invalid', pointer: '/$groups' },
    ],
    [
      'an alias of 64 letters',
      { $groups: { ['a'.repeat(64)]: 'status' } },
      { code: 'aggregate_alias_invalid', pointer: `/$groups/${'a'.repeat(64)}` },
    ],
    [
      'a reserved alias',
      { $groups: { constructor: 'status' } },
      { code: 'aggregate_alias_invalid', pointer: '/$groups/constructor' },
    ],
    [
      'an alias used twice',
      { $groups: { a: 'status' }, $computed: { a: { $count: null } } },
      { code: 'aggregate_alias_invalid', pointer: '/$computed/a' },
    ],
    [
      'a sort by a field',
      { $groups: { a: 'status' }, sorts: { status: 'asc' } },
      { code: 'field_not_sortable', pointer: '/sorts/status', allowed: ['a'] },
    ],
    [
      'having of a field',
      { $groups: { a: 'status' }, $having: { $values: { status: 'draft' } } },
      { code: 'field_not_filterable', pointer: '/$having/$values/status', allowed: ['a'] },
    ],
    [
      'having of another kind',
      { $computed: { n: { $count: null } }, $having: { $values: { n: '5' } } },
      { code: 'filter_operand_invalid', pointer: '/$having/$values/n' },
    ],
    ['a size of 0', { $groups: { a: 'status' }, size: 0 }, { code: 'page_invalid', pointer: '/size' }],
  ])('is refused with %s', (_what, raw, expected) => {
    expect(issuesOf(raw)).toEqual([expect.objectContaining(expected)]);
  });

  it('refuses __proto__ as an alias', () => {
    expect(
      codesOf(JSON.parse('{"$groups": {"__proto__": "status"}, "$computed": {"__proto__": {"$count": null}}}')),
    ).toEqual(['aggregate_alias_invalid', 'aggregate_alias_invalid']);
  });

  it('holds groups and functions to "aggregatable", and filters to "filterable"', () => {
    const notes = policyOf(NoteRead);
    const filter = { $values: { body: 'x' } };
    expect(
      issuesOf(
        {
          $groups: { t: 'title' },
          $computed: {
            m: { $max: 'title' },
            n: { $count: { filter } },
            d: { $count_distinct: { field: 'category', filter } },
          },
          filters: filter,
        },
        notes,
      ),
    ).toMatchObject([
      { code: 'field_not_aggregatable', pointer: '/$groups/t', allowed: ['category'] },
      { code: 'field_not_aggregatable', pointer: '/$computed/m/$max', operator: '$max', allowed: ['category'] },
      { code: 'field_not_filterable', pointer: '/$computed/n/$count/filter/$values/body' },
      { code: 'field_not_filterable', pointer: '/$computed/d/$count_distinct/filter/$values/body' },
      { code: 'field_not_filterable', pointer: '/filters/$values/body' },
    ]);
  });

  it('holds a field to the functions that it has', () => {
    const some = productPolicy({ aggregatable: { status: 'group', price: ['$sum'] } });
    expect(
      issuesOf({ $groups: { p: 'price' }, $computed: { a: { $avg: 'price' }, s: { $sum: 'price' } } }, some),
    ).toMatchObject([
      { code: 'field_not_aggregatable', pointer: '/$groups/p', allowed: ['status'] },
      { code: 'aggregate_function_unknown', pointer: '/$computed/a/$avg', allowed: ['$sum', '$count'] },
    ]);
  });

  it.each(['title', 'secret', 'tags', 'constructor'])('says of %s what it says of an invented name', (name) => {
    const narrow = productPolicy({ aggregatable: ['status'] });
    const refusal = (field: string) =>
      JSON.stringify(issuesOf({ $groups: { a: field }, $computed: { b: { $max: field } } }, narrow)).replaceAll(
        field,
        'NAME',
      );
    expect(refusal(name)).toBe(refusal('invented'));
  });

  it('does not report what merely uses something refused', () => {
    const raw = { $groups: { a: 'nope' }, $having: { $values: { a: 'x' } }, sorts: { a: 'asc' } };
    expect(codesOf(raw)).toEqual(['field_not_aggregatable']);
  });

  it('counts computed values and groups among the conditions', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, { $count: null }]));
    expect(codesOf({ $computed: many(256) })).toEqual([]);
    expect(codesOf({ $computed: many(257) })).toEqual(['filter_clauses_exceeded']);
    expect(
      codesOf({
        $computed: many(200),
        filters: { $and: Array.from({ length: 60 }, () => ({ $values: { sold: true } })) },
      }),
    ).toEqual(['filter_clauses_exceeded']);
  });
});
