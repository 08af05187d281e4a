import { describe, expect, it } from '@jest/globals';
import { productPolicy } from '../../../test/query/product-read.js';
import type { CursorPaging } from '../ast.js';
import { toCursorPage, toPage } from '../page.js';
import { parseListQuery, type ListQueryOptions } from '../parse/index.js';
import { QueryError, type QueryIssue } from '../query-error.js';

const SECRET = 'a secret of thirty-two characters';
const SEALED: ListQueryOptions = { paging: 'cursor', cursorSecret: SECRET };
const HASHED: ListQueryOptions = { paging: 'cursor' };
const policy = productPolicy();
const ROW = { id: '00000000-0000-4000-8000-000000000001', title: 'Tante Ursel', stock: 7, sku: null };

function planOf(query: object, options: ListQueryOptions, under = policy) {
  return parseListQuery(query, under, options);
}

function cursorOf(query: object, options: ListQueryOptions, row: object = ROW): string {
  return (planOf(query, options).paging as CursorPaging).cursorOf(row);
}

function issuesOf(query: object, options: ListQueryOptions, under = policy): readonly QueryIssue[] {
  try {
    planOf(query, options, under);
    return [];
  } catch (error) {
    if (QueryError.isInstance(error)) return error.issues;
    throw error;
  }
}

const REFUSED = {
  code: 'cursor_invalid',
  pointer: '/after',
  allowed: ['nextCursor or prevCursor of a page of the same filters and sorts'],
};
const QUERY = { filters: { $values: { stock: { $gt: 5 }, sold: false } }, sorts: { title: 'asc', sku: 'desc' } };

describe.each([
  ['sealed', SEALED],
  ['bound by a hash', HASHED],
])('a cursor that is %s', (_, options) => {
  const token = cursorOf(QUERY, options);

  it('is taken for the same question, whatever the order of its conditions and the size of its page', () => {
    const filters = { $values: { sold: { $eq: false }, stock: { $gt: 5 } } };
    expect(issuesOf({ ...QUERY, filters, size: 3, select: ['id'], after: token }, options)).toEqual([]);
    expect(issuesOf({ ...QUERY, before: token }, options)).toEqual([]);
    expect(cursorOf({ ...QUERY, after: token }, options)).toBe(token);
  });

  it.each<[string, object]>([
    ['another filter', { ...QUERY, filters: { $values: { stock: { $gt: 6 }, sold: false } } }],
    ['no filter', { sorts: QUERY.sorts }],
    [
      'other combinators',
      { ...QUERY, filters: { $or: [{ $values: { stock: { $gt: 5 } } }, { $values: { sold: false } }] } },
    ],
    ['other sorts', { ...QUERY, sorts: { sku: 'desc', title: 'asc' } }],
    ['another direction', { ...QUERY, sorts: { title: 'desc', sku: 'desc' } }],
    ['another place of nulls', { ...QUERY, sorts: { title: 'asc', sku: { dir: 'desc', nulls: 'first' } } }],
  ])('is refused with %s', (_what, query) => {
    expect(issuesOf({ ...query, after: token }, options)).toEqual([REFUSED]);
  });

  it('is refused under another policy', () => {
    expect(issuesOf({ ...QUERY, after: token }, options, productPolicy({ filterable: ['stock', 'sold'] }))).toEqual([
      REFUSED,
    ]);
    expect(issuesOf({ ...QUERY, after: token }, options, productPolicy({ maxSize: 5 }))).toEqual([]);
  });

  it('is refused with any one character changed, left out or added', () => {
    const changed = [...token].flatMap((character, index) => {
      const [before, after] = [token.slice(0, index), token.slice(index + 1)];
      return [`${before}${character === 'A' ? 'B' : 'A'}${after}`, before + after, `${before}A${character}${after}`];
    });
    const taken = changed.filter((each) => each !== token && issuesOf({ ...QUERY, after: each }, options).length === 0);
    expect([changed.length > 100, taken]).toEqual([true, []]);
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['null', null],
    ['a number', 7],
    ['an object', { $gt: '' }],
    ['a list', ['x']],
    ['padded', `${token}=`],
    ['of other characters', `${token}\n`],
    ['oversized', 'A'.repeat(8193)],
    ['of plain JSON', Buffer.from('["Tante Ursel",null,"x"]').toString('base64url')],
  ])('is refused where it is %s, and nothing of it is repeated', (_what, after) => {
    expect(issuesOf({ ...QUERY, after }, options)).toEqual([REFUSED]);
  });

  it('is refused beside another one, and beside a page', () => {
    const both = { code: 'cursor_invalid', pointer: '/before', allowed: ['one of after, before'] };
    expect(issuesOf({ ...QUERY, after: token, before: token }, options)).toEqual([both]);
    expect(issuesOf({ ...QUERY, page: 2 }, options)).toMatchObject([
      { code: 'filter_shape_invalid', pointer: '/page' },
    ]);
  });

  it('is told among all other issues where its look alone is wrong', () => {
    const issues = issuesOf({ sorts: { nope: 'asc' }, size: 0, after: '!', select: ['no'] }, options);
    expect(issues.map((issue) => issue.code)).toEqual([
      'field_not_on_read_model',
      'page_invalid',
      'cursor_invalid',
      'field_not_on_read_model',
    ]);
  });

  it.each<[string, object]>([
    ['is too long', { ...ROW, title: 'x'.repeat(7000) }],
    ['holds NUL', { ...ROW, title: 'a\0b' }],
    ['is not well-formed', { ...ROW, title: '\ud800' }],
  ])('is not made of a text that %s', (_what, row) => {
    expect(() => cursorOf(QUERY, options, row)).toThrow(
      /^\[query_cursor_unfit\] A row of ProductRead .*title, sku, id/,
    );
    expect(() => cursorOf(QUERY, options, { ...row, title: 'x'.repeat(5000) })).not.toThrow();
  });
});

describe('a sealed cursor', () => {
  const token = cursorOf(QUERY, SEALED);

  it('shows nothing of the row', () => {
    const text = Buffer.from(token, 'base64url').toString('latin1');
    expect(text).not.toContain('Ursel');
    expect(Buffer.from(cursorOf(QUERY, HASHED), 'base64url').toString('latin1')).toContain('Ursel');
  });

  it('is refused under another secret and under none, and one bound by a hash under a secret', () => {
    expect(issuesOf({ ...QUERY, after: token }, { ...SEALED, cursorSecret: `${SECRET}!` })).toEqual([REFUSED]);
    expect(issuesOf({ ...QUERY, after: token }, HASHED)).toEqual([REFUSED]);
    expect(issuesOf({ ...QUERY, after: cursorOf(QUERY, HASHED) }, SEALED)).toEqual([REFUSED]);
  });
});

describe('the plan of a page by cursor', () => {
  it('states the place as an ordinary filter, and the order to read in', () => {
    const query = { sorts: { stock: { dir: 'desc', nulls: 'last' } } };
    const { paging, sorts } = planOf({ ...query, before: cursorOf(query, HASHED) }, HASHED);
    const [stock, id] = [policy.fields['stock'], policy.fields['id']];
    expect(sorts).toMatchObject([{ field: stock, direction: 'desc', nulls: 'last' }, { field: id }]);
    expect(paging).toMatchObject({
      kind: 'cursor',
      direction: 'backward',
      readSorts: [
        { field: stock, direction: 'asc', nulls: 'first' },
        { field: id, direction: 'desc', nulls: 'last' },
      ],
      seek: {
        type: 'or',
        filters: [
          { type: 'comparison', field: stock, operator: '$gt', operand: 7 },
          {
            type: 'and',
            filters: [
              { type: 'comparison', field: stock, operator: '$eq', operand: 7 },
              {
                type: 'or',
                filters: [
                  { type: 'comparison', field: id, operator: '$lt', operand: ROW.id },
                  { type: 'null', field: id, isNull: true },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  it('matches nothing beyond a null that is last', () => {
    const query = { sorts: { id: { dir: 'asc', nulls: 'last' } } };
    const { paging } = planOf({ ...query, after: cursorOf(query, HASHED, { id: null }) }, HASHED);
    expect(paging).toMatchObject({ seek: { type: 'list', operator: '$in', operands: [] } });
  });

  it('makes pages of its own kind only', () => {
    const result = { rows: [ROW], hasMore: true, total: 1 };
    const byCursor = planOf({}, HASHED);
    const byNumber = parseListQuery({}, policy);
    expect(() => toPage(byCursor, result)).toThrow('toCursorPage');
    expect(() => toCursorPage(byNumber, result)).toThrow('toPage');
    expect(toPage(byNumber, result)).toMatchObject({ page: 1, count: 1 });
    expect(toCursorPage(byCursor, result)).toMatchObject({ hasMore: true, prevCursor: null });
  });

  it('makes cursors of what a store says of the edges, where it does', () => {
    const plan = planOf({}, HASHED);
    const { cursorOf: tokenOf } = plan.paging as CursorPaging;
    const last = { id: '00000000-0000-4000-8000-000000000009' };
    const page = toCursorPage(plan, { rows: [{ title: 'x' }], hasMore: true, edges: { first: ROW, last } });
    expect(page.nextCursor).toBe(tokenOf(last));
  });
});
