import { describe, expect, it } from '@jest/globals';
import { NoteRead, policyOf, productPolicy } from '../../../test/query/product-read.js';
import type { ListPlan } from '../ast.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';
import { QueryError, type QueryIssue } from '../query-error.js';
import { parseListQuery } from './parse-list-query.js';

const policy = productPolicy();

/** Through text, as it comes: `__proto__` is an own key then. */
const parse = (text: string, under: ResolvedQueryPolicy = policy) => parseListQuery(JSON.parse(text) as unknown, under);

const parseFilters = (filters: unknown, under = policy) => parseListQuery({ filters }, under).filter;

function issuesOf(raw: unknown, under = policy): readonly QueryIssue[] {
  try {
    parseListQuery(raw, under);
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
  return [];
}

const codesOf = (raw: unknown, under = policy) => issuesOf(raw, under).map((issue) => issue.code);

describe('a list query that fits', () => {
  it('asks for the first rows by id where it says nothing', () => {
    expect(parse('{}')).toEqual({
      form: 'list',
      sorts: [{ field: policy.fields['id'], direction: 'asc', nulls: 'first' }],
      paging: { kind: 'offset', page: 1, size: 20, offset: 0 },
    });
  });

  it('becomes a plan whose fields are the very objects of the policy', () => {
    const plan = parse('{"filters": {"$values": {"title": "x"}}, "sorts": {"price": "desc"}}');
    expect(plan.filter).toMatchObject({ type: 'comparison', operator: '$eq', operand: 'x' });
    expect(plan.filter?.type === 'comparison' && plan.filter.field).toBe(policy.fields['title']);
    expect(plan.sorts.map((sort) => sort.field)).toEqual([policy.fields['price'], policy.fields['id']]);
  });

  it('is frozen all the way down', () => {
    const plan = parse(
      '{"filters": {"$or": [{"$values": {"sku": ["a"], "title": {"$like": ["a%"]}}}, {"$not": {"$values": {"sold": null}}}]}}',
    );
    const thawed: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) thawed.push(value);
      Object.values(value).forEach(visit);
    };
    visit(plan);
    expect(thawed).toEqual([]);
  });

  it.each<[string, unknown, unknown]>([
    ['a value alone as $eq', { title: 'x' }, { type: 'comparison', operator: '$eq', operand: 'x' }],
    ['a list as $in', { sku: ['a', 'b'] }, { type: 'list', operator: '$in', operands: ['a', 'b'] }],
    ['null as $null', { sku: null }, { type: 'null', isNull: true }],
    ['$null: false', { sku: { $null: false } }, { type: 'null', isNull: false }],
    ['an empty $nin', { sku: { $nin: [] } }, { type: 'list', operator: '$nin', operands: [] }],
    ['a pattern', { title: { $ilike: '%a' } }, { type: 'pattern', operator: '$ilike', patterns: ['%a'] }],
    ['several patterns', { title: { $regex: ['a', 'b'] } }, { type: 'pattern', patterns: ['a', 'b'] }],
    ['a decimal in its shortest form', { cost: '1.50' }, { operand: '1.5' }],
    ['a big integer', { views: '9223372036854775807' }, { operand: 9223372036854775807n }],
    ['a time in UTC', { createdAt: { $gt: '2024-01-01T01:00:00+01:00' } }, { operand: '2024-01-01T00:00:00.000Z' }],
    ['an enum of numbers', { level: 2 }, { operand: 2 }],
  ])('reads %s', (_what, values, expected) => {
    expect(parseFilters({ $values: values })).toMatchObject(expected as object);
  });

  it('joins fields, and operators of one field, with and', () => {
    const filter = parseFilters({ $values: { price: { $gte: 5, $lt: 9 }, sold: true } });
    expect(filter).toMatchObject({
      type: 'and',
      filters: [{ operator: '$gte' }, { operator: '$lt' }, { operator: '$eq' }],
    });
  });

  it('nests combinators', () => {
    const inner = { $values: { sold: true } };
    expect(parseFilters({ $or: [{ $and: [inner, inner] }, { $not: inner }] })).toMatchObject({
      type: 'or',
      filters: [{ type: 'and' }, { type: 'not', filter: { type: 'comparison' } }],
    });
  });

  it('reads times without a zone in that of the policy', () => {
    const filter = parseFilters({ $values: { createdAt: '2024-01-01T00:00:00' } }, productPolicy({ zone: '-05:00' }));
    expect(filter).toMatchObject({ operand: '2024-01-01T05:00:00.000Z' });
  });

  it('sorts in the order of its keys, nulls smallest, the tie-breaker last and once', () => {
    const sortsOf = (text: string) =>
      parse(text).sorts.map(({ field, direction, nulls }) => `${field.name} ${direction} ${nulls}`);
    expect(sortsOf('{"sorts": {"title": "desc", "price": {"dir": "desc", "nulls": "first"}}}')).toEqual([
      'title desc last',
      'price desc first',
      'id asc first',
    ]);
    expect(sortsOf('{"sorts": {"id": "desc"}}')).toEqual(['id desc last']);
  });

  it('sorts as the policy says where it asks for nothing, and not on top of what it asks for', () => {
    const sorted = productPolicy({ defaultSort: { price: 'desc' }, sortable: ['title'] });
    expect(parse('{}', sorted).sorts.map((sort) => sort.field.name)).toEqual(['price', 'id']);
    expect(parse('{"sorts": {"title": "asc"}}', sorted).sorts.map((sort) => sort.field.name)).toEqual(['title', 'id']);
  });

  it('pages from 1 up to the largest size', () => {
    expect(parse('{"page": 3, "size": 100}').paging).toEqual({ kind: 'offset', page: 3, size: 100, offset: 200 });
    expect(parse('{}', productPolicy({ maxSize: 5 })).paging.size).toBe(5);
  });

  it('selects fields in the order of the read model, from what may be returned', () => {
    expect(parse('{"select": ["price", "id", "id"]}').returnable).toEqual(['id', 'price']);
    const narrow = productPolicy({ returnable: ['id', 'tags'] });
    expect(parse('{}', narrow).returnable).toEqual(['id', 'tags']);
    expect(parse('{"select": ["tags"]}', narrow).returnable).toEqual(['tags']);
  });
});

describe('a list query that does not fit', () => {
  const values = (condition: unknown) => ({ filters: { $values: condition } });

  it.each<[string, unknown, QueryIssue]>([
    ['no object', 'x', { code: 'filter_shape_invalid', pointer: '' }],
    ['a list', [], { code: 'filter_shape_invalid', pointer: '' }],
    ['null', null, { code: 'filter_shape_invalid', pointer: '' }],
    ['an unknown key', { filter: {} }, { code: 'filter_shape_invalid', pointer: '/filter' }],
    ['null as filters', { filters: null }, { code: 'filter_shape_invalid', pointer: '/filters' }],
    ['no combinator', { filters: {} }, { code: 'filter_shape_invalid', pointer: '/filters' }],
    ['two combinators', { filters: { $and: [], $values: {} } }, { code: 'filter_shape_invalid', pointer: '/filters' }],
    [
      'a field beside combinators',
      { filters: { title: 'x' } },
      { code: 'filter_shape_invalid', pointer: '/filters/title' },
    ],
    ['no fields', values({}), { code: 'filter_shape_invalid', pointer: '/filters/$values' }],
    ['no operators', values({ title: {} }), { code: 'filter_shape_invalid', pointer: '/filters/$values/title' }],
    ['an empty $or', { filters: { $or: [] } }, { code: 'filter_shape_invalid', pointer: '/filters/$or' }],
    ['$and of an object', { filters: { $and: {} } }, { code: 'filter_shape_invalid', pointer: '/filters/$and' }],
    [
      'an unknown operator',
      values({ title: { $ne: 1 } }),
      { code: 'filter_operator_unknown', pointer: '/filters/$values/title/$ne' },
    ],
    [
      'an operator of another kind',
      values({ title: { $gt: 'a' } }),
      { code: 'filter_operator_not_allowed', pointer: '/filters/$values/title/$gt' },
    ],
    [
      'a number for a text',
      values({ title: 5 }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title' },
    ],
    [
      'null for $eq',
      values({ title: { $eq: null } }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/$eq' },
    ],
    [
      'null in a list',
      values({ title: ['a', null] }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/1' },
    ],
    [
      'a text for $in',
      values({ title: { $in: 'a' } }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/$in' },
    ],
    [
      'a text for $null',
      values({ title: { $null: 'no' } }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/$null' },
    ],
    [
      'a number for a pattern',
      values({ title: { $like: 5 } }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/$like' },
    ],
    [
      'a number among patterns',
      values({ title: { $like: ['a', 5] } }),
      { code: 'filter_operand_invalid', pointer: '/filters/$values/title/$like/1' },
    ],
    [
      'a lone backslash',
      values({ title: { $like: 'a\\' } }),
      { code: 'filter_pattern_invalid', pointer: '/filters/$values/title/$like' },
    ],
    [
      'a look-ahead',
      values({ title: { $regex: 'a(?=b)' } }),
      { code: 'filter_pattern_invalid', pointer: '/filters/$values/title/$regex' },
    ],
    ['sorts as a list', { sorts: ['title'] }, { code: 'sort_invalid', pointer: '/sorts' }],
    ['a direction in capitals', { sorts: { title: 'DESC' } }, { code: 'sort_invalid', pointer: '/sorts/title' }],
    [
      'nulls without a direction',
      { sorts: { title: { nulls: 'last' } } },
      { code: 'sort_invalid', pointer: '/sorts/title/dir' },
    ],
    [
      'nulls in the middle',
      { sorts: { title: { dir: 'asc', nulls: 'mid' } } },
      { code: 'sort_invalid', pointer: '/sorts/title/nulls' },
    ],
    ['an empty selection', { select: [] }, { code: 'filter_shape_invalid', pointer: '/select' }],
  ])('is refused with %s', (_what, raw, expected) => {
    expect(issuesOf(raw)).toEqual([expect.objectContaining(expected)]);
  });

  it.each([-1, 0, 101, 1e9, 2.5, '10', null, 'NaN', true, [], {}])('is refused with a size of %p', (size) => {
    expect(issuesOf({ size })).toEqual([{ code: 'page_invalid', pointer: '/size', allowed: [1, 100] }]);
  });

  it.each([0, -1, 1e12, '1', null])('is refused with a page of %p', (page) => {
    expect(issuesOf({ page })).toEqual([{ code: 'page_invalid', pointer: '/page', allowed: [1, 1_000_000] }]);
  });

  it('tells all issues at once, each with its place and with what is allowed', () => {
    const raw = {
      filters: { $or: [{ $values: { nope: 1, status: 'lost' } }, { $not: { $values: { sold: { $gt: 1 } } } }] },
      sorts: { nope: 'asc', title: 'up' },
      size: 0,
      select: ['nope'],
    };
    const notes = productPolicy({ filterable: ['status', 'sold'], sortable: ['title'], returnable: ['id'] });
    expect(issuesOf(raw, notes)).toEqual([
      {
        code: 'field_not_filterable',
        pointer: '/filters/$or/0/$values/nope',
        field: 'nope',
        allowed: ['sold', 'status'],
      },
      {
        code: 'filter_operand_invalid',
        pointer: '/filters/$or/0/$values/status',
        field: 'status',
        operator: '$eq',
        allowed: ['draft', 'published'],
      },
      {
        code: 'filter_operator_not_allowed',
        pointer: '/filters/$or/1/$not/$values/sold/$gt',
        field: 'sold',
        operator: '$gt',
        allowed: ['$eq', '$in', '$neq', '$nin', '$null'],
      },
      { code: 'field_not_sortable', pointer: '/sorts/nope', field: 'nope', allowed: ['title'] },
      { code: 'sort_invalid', pointer: '/sorts/title', field: 'title', allowed: ['asc', 'desc'] },
      { code: 'page_invalid', pointer: '/size', allowed: [1, 100] },
      { code: 'field_not_returnable', pointer: '/select/0', field: 'nope', allowed: ['id'] },
    ]);
  });

  it('has the code of its first issue, and 400', () => {
    expect(() => parse('{"size": 0, "filters": {}}')).toThrow(
      expect.objectContaining({ name: 'QueryError', code: 'filter_shape_invalid', status: 400 }),
    );
  });

  it('says "not on the read model" only of an axis that withholds nothing', () => {
    expect(codesOf({ filters: { $values: { nope: 1 } }, sorts: { nope: 'asc' }, select: ['nope'] })).toEqual([
      'field_not_on_read_model',
      'field_not_on_read_model',
      'field_not_on_read_model',
    ]);
  });

  it.each(['title', 'secret', 'tags', 'constructor', 'owner.email', 'toString'])(
    'says of %s what it says of an invented name, but for the name',
    (name) => {
      const notes = policyOf(NoteRead);
      const narrow = productPolicy({ filterable: ['price'], sortable: ['price'], returnable: ['id'] });
      const refusal = (field: string) => {
        const raw = { filters: { $values: { [field]: { $eq: 'x' } } }, sorts: { [field]: 'asc' }, select: [field] };
        return JSON.stringify(issuesOf(raw, narrow)).replaceAll(field, 'NAME');
      };
      expect(refusal(name)).toBe(refusal('invented'));
      expect(codesOf({ sorts: { body: 'asc' } }, notes)).toEqual(codesOf({ sorts: { invented: 'asc' } }, notes));
    },
  );

  it('refuses own keys that mean something to JavaScript as unknown ones', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const codes = (text: string) => codesOf(JSON.parse(text) as unknown);
      expect(codes(`{"${key}": {"page": 2}}`)).toEqual(['filter_shape_invalid']);
      expect(codes(`{"filters": {"${key}": {}}}`)).toEqual(['filter_shape_invalid']);
      expect(codes(`{"filters": {"$values": {"${key}": "x"}}}`)).toEqual(['field_not_on_read_model']);
      expect(codes(`{"filters": {"$values": {"title": {"${key}": {}}}}}`)).toEqual(['filter_operator_unknown']);
      expect(codes(`{"sorts": {"${key}": "asc"}}`)).toEqual(['field_not_on_read_model']);
      expect(codes(`{"sorts": {"title": {"dir": "asc", "${key}": 1}}}`)).toEqual(['sort_invalid']);
    }
  });

  it('repeats no operand, and no key that does not look like a name', () => {
    const secret = 'hunter2 is the word';
    const raws = [
      { filters: { $values: { price: secret, sku: { $in: secret }, status: [secret] } } },
      { filters: { $values: { title: { $regex: `(${secret}` } } }, size: secret, page: secret },
      { filters: { $values: { [secret]: 1 }, [secret]: 1 } },
      { sorts: { [secret]: 'asc', title: secret, price: { dir: secret } }, [secret]: 1, select: [secret] },
    ];
    for (const raw of raws) {
      expect(issuesOf(raw).length).toBeGreaterThan(0);
      expect(JSON.stringify(issuesOf(raw))).not.toContain('hunter2');
    }
  });
});

describe('the limits of a list query', () => {
  const nested = (depth: number): unknown => (depth === 1 ? { $values: { sold: true } } : { $not: nested(depth - 1) });

  it('nests 8 deep, and not 9', () => {
    expect(codesOf({ filters: nested(8) })).toEqual([]);
    expect(issuesOf({ filters: nested(9) })).toMatchObject([{ code: 'filter_depth_exceeded', allowed: [8] }]);
  });

  it('survives what is nested far deeper', () => {
    const text = (depth: number) => `{"filters":${'{"$not":'.repeat(depth)}{}${'}'.repeat(depth)}}`;
    expect(codesOf(JSON.parse(text(5_000)))).toEqual(['filter_depth_exceeded']);
    expect(codesOf(JSON.parse(text(50_000)))).toEqual(['filter_shape_invalid']);
  });

  it('has 256 conditions, and not 257', () => {
    const filters = (count: number) => ({ $and: Array.from({ length: count }, () => ({ $values: { sold: true } })) });
    expect(codesOf({ filters: filters(256) })).toEqual([]);
    expect(issuesOf({ filters: filters(300) })).toMatchObject([{ code: 'filter_clauses_exceeded', allowed: [256] }]);
  });

  it('has 1000 elements in a list, and not 1001', () => {
    const list = (length: number) => ({ filters: { $values: { stock: Array.from({ length }, () => 1) } } });
    expect(codesOf(list(1000))).toEqual([]);
    expect(issuesOf(list(1001))).toMatchObject([{ code: 'filter_list_exceeded', allowed: [1000] }]);
  });

  it('has 256 characters in a pattern, and not 257; 32 patterns, and not 33', () => {
    const like = ($like: unknown) => ({ filters: { $values: { title: { $like } } } });
    expect(codesOf(like('😀'.repeat(256)))).toEqual([]);
    expect(codesOf(like('a'.repeat(257)))).toEqual(['filter_pattern_invalid']);
    expect(codesOf(like(Array.from({ length: 32 }, () => 'a')))).toEqual([]);
    expect(codesOf(like(Array.from({ length: 33 }, () => 'a')))).toEqual(['filter_list_exceeded']);
  });

  it('counts every pattern as a condition', () => {
    const patterns = Array.from({ length: 32 }, () => 'a');
    const filters = { $and: Array.from({ length: 9 }, () => ({ $values: { title: { $like: patterns } } })) };
    expect(codesOf({ filters })).toEqual(['filter_clauses_exceeded']);
  });

  it('is 64 KiB long, and no longer', () => {
    const text = (length: number) => ({ filters: { $values: { title: 'x'.repeat(length) } } });
    expect(codesOf(text(65_000))).toEqual([]);
    expect(issuesOf(text(65_536))).toMatchObject([{ code: 'filter_shape_invalid', pointer: '' }]);
    expect(codesOf({ filters: { $values: { [`x${'y'.repeat(70_000)}`]: 1 } } })).toEqual(['filter_shape_invalid']);
  });

  it('tells 32 issues at most', () => {
    const sorts = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 'asc']));
    expect(issuesOf({ sorts })).toHaveLength(32);
  });

  it('follows the policy', () => {
    const tight = productPolicy({
      limits: { maxDepth: 1, maxClauses: 1, maxListLength: 1, maxPage: 2, maxRequestBytes: 90 },
    });
    expect(codesOf({ filters: nested(2) }, tight)).toEqual(['filter_depth_exceeded']);
    expect(codesOf({ filters: { $values: { sold: true, stock: 1 } } }, tight)).toEqual(['filter_clauses_exceeded']);
    expect(codesOf({ filters: { $values: { stock: [1, 2] } }, page: 3 }, tight)).toEqual([
      'filter_list_exceeded',
      'page_invalid',
    ]);
    expect(codesOf({ filters: { $values: { title: 'x'.repeat(90) } } }, tight)).toEqual(['filter_shape_invalid']);
  });
});

describe('a plan', () => {
  it('is never made of a part of a query', () => {
    let plan: ListPlan | undefined;
    try {
      plan = parse('{"filters": {"$values": {"title": "x", "nope": 1}}}');
    } catch {
      plan = undefined;
    }
    expect(plan).toBeUndefined();
  });
});
