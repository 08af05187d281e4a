import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eq, or, sql, type SQL } from 'drizzle-orm';
import {
  parseAggregateQuery,
  parseListQuery,
  resolveQueryPolicy,
  type FilterNode,
  type ListPlan,
} from '../../../lib/query/index.js';
import { DrizzleQueryExecutor } from '../../../lib/stores/drizzle/index.js';
import { catchError } from '../../support/catch-error.js';
import { AwkwardRead, awkwardRows } from '../support/awkward-rows.js';
import { openSqlite, sqliteRows } from './support/sqlite-store.js';

const rows = awkwardRows({ isExact: false });
const policy = resolveQueryPolicy(AwkwardRead);
const everything = parseListQuery({ size: 100 }, policy);
const counted = parseAggregateQuery({ $computed: { n: { $count: null } } }, policy);

function withFilter(filter: unknown): ListPlan {
  return { ...everything, filter: filter as FilterNode };
}

describe('what Drizzle would take for every row', () => {
  let store: Awaited<ReturnType<typeof openSqlite>>;
  beforeAll(async () => {
    store = await openSqlite(rows);
  });
  afterAll(() => store.close());

  const total = async (request: unknown, base: SQL = sql`true`) =>
    (await store.executor.list(parseListQuery(request, policy), base)).total;

  it.each([
    ['an `or()` of nothing', [or()]],
    ['an undefined base', [undefined]],
    ['a base that is a text', ['1 = 1']],
    ['a base that is a number', [1]],
    ['a base that is true', [true]],
    ['a base like an `SQL`', [{ queryChunks: [] }]],
    ['no base', []],
  ])('%s is refused by lists and aggregates, before anything is sent', async (_name, call) => {
    const base = call as unknown as readonly [SQL];
    store.statements.sent.length = 0;
    const errors = [
      await catchError(() => store.executor.list(everything, ...base)),
      await catchError(() => store.executor.aggregate(counted, ...base)),
    ];
    expect(errors).toEqual([
      expect.objectContaining({ code: 'query_store_base_unsupported' }),
      expect.objectContaining({ code: 'query_store_base_unsupported' }),
    ]);
    expect(store.statements.sent).toEqual([]);
  });

  it('reads the whole table without a base where that was allowed, and still refuses one that is undefined', async () => {
    const open = new DrizzleQueryExecutor(store.database, sqliteRows, { readModel: AwkwardRead, allowUnscoped: true });
    expect((await open.list(everything)).total).toBe(200);
    expect(await open.aggregate(counted)).toEqual([{ n: 200 }]);
    expect(await catchError(() => open.list(everything, or()))).toMatchObject({ code: 'query_store_base_unsupported' });
  });

  it('fails on a base without text', async () => {
    // The driver's error is not of this realm: it is told by what it says.
    const error = await catchError(() => store.executor.list(everything, sql.empty()));
    expect(error.message).toMatch(/syntax error/);
  });

  it('keeps an `or` on either side within its own bounds', async () => {
    const stock = (value: number) => rows.filter((row) => row.stock === value).length;
    const base = sql`${sqliteRows.stock} = 7 or ${sqliteRows.stock} = 0`;
    const around = { $or: [{ $values: { stock: -3 } }, { $values: { stock: 7 } }] };
    expect(await total({ filters: around }, base)).toBe(stock(7));
    expect(await total({ filters: around })).toBe(stock(-3) + stock(7));
    expect(await total({}, base)).toBe(stock(7) + stock(0));
    const groups = await store.executor.aggregate(
      parseAggregateQuery({ $computed: { n: { $count: null } }, filters: around }, policy),
      base,
    );
    expect(groups).toEqual([{ n: stock(7) }]);
  });

  it('keeps the scope of a page by cursor', async () => {
    const inside = rows.filter((row) => row.stock === 7).length;
    const found = await store.executor.list(
      parseListQuery({ size: 100 }, policy, { paging: 'cursor' }),
      eq(sqliteRows.stock, 7),
    );
    expect(found.rows).toHaveLength(inside);
  });

  it.each([
    ['$in of nothing', { $values: { title: { $in: [] } } }, 0],
    ['$in of nothing, negated', { $not: { $values: { title: { $in: [] } } } }, 200],
    ['$nin of nothing', { $values: { title: { $nin: [] } } }, 200],
    ['a pattern list of nothing', { $values: { title: { $like: [] } } }, 0],
    ['a number past what the column holds', { $values: { stock: { $gt: 9007199254740991 } } }, 0],
  ])('%s means what it says', async (_name, filters, expected) => {
    expect(await total({ filters })).toBe(expected);
  });

  it.each([
    ['an `and` of nothing', withFilter({ type: 'and', filters: [] })],
    ['an `or` of nothing', withFilter({ type: 'or', filters: [] })],
    ['a page of no rows', { ...everything, paging: { kind: 'offset', page: 1, size: -2, offset: 0 } } as const],
    ['a page before the first', { ...everything, paging: { kind: 'offset', page: 0, size: 5, offset: -5 } } as const],
    ['a half row', { ...everything, paging: { kind: 'offset', page: 1, size: 1.5, offset: 0 } } as const],
  ])('%s in a plan made by hand is an error', async (_name, plan) => {
    store.statements.sent.length = 0;
    expect(await catchError(() => store.executor.list(plan, sql`true`))).toBeInstanceOf(Error);
    expect(store.statements.sent).toEqual([]);
  });

  it.each(['secret', '__proto__', 'constructor', 'prototype', 'Title', 'awkward.title', 'title" or 1 = 1 --'])(
    'a field named %s in a plan made by hand is an error, and is nowhere in a statement',
    async (name) => {
      store.statements.sent.length = 0;
      const field = { name, kind: 'string', enumValues: [] } as const;
      const plan = withFilter({ type: 'comparison', field, operator: '$eq', operand: 'x' });
      expect(await catchError(() => store.executor.list(plan, sql`true`))).toMatchObject({
        code: 'query_unsupported_by_store',
      });
      expect(store.statements.sent).toEqual([]);
    },
  );

  it('refuses $regex, which it does not offer, and runs $like', async () => {
    expect(store.executor.capabilities.operators).not.toContain('$regex');
    const plan = parseListQuery({ filters: { $values: { title: { $regex: 'a' } } } }, policy);
    const error = await catchError(() => store.executor.list(plan, sql`true`));
    expect(error).toMatchObject({ code: 'query_unsupported_by_store' });
    expect(await total({ filters: { $values: { title: { $like: '%' } } } })).toBe(200);
  });

  it('sends operands as parameters, whatever they say', async () => {
    store.statements.sent.length = 0;
    const text = `x' OR 1=1 -- "$1" ? :a`;
    expect(await total({ filters: { $values: { title: text } } })).toBe(0);
    for (const { text: statement } of store.statements.sent) expect(statement).not.toContain('OR 1=1');
    expect(store.statements.sent[0]?.parameters).toContain(text);
  });

  it('stops before a statement once the caller is gone', async () => {
    store.statements.sent.length = 0;
    const gone = AbortSignal.abort(new Error('gone'));
    for (const run of [
      () => store.executor.list(everything, sql`true`, gone),
      () => store.executor.aggregate(counted, sql`true`, gone),
    ]) {
      expect(await catchError(run)).toMatchObject({ message: 'gone' });
    }
    expect(store.statements.sent).toEqual([]);
  });
});
