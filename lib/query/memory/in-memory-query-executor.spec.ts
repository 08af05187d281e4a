import { describe, expect, it } from '@jest/globals';
import { Level, ProductRead, Status, productPolicy } from '../../../test/query/product-read.js';
import { toPage } from '../page.js';
import { parseListQuery } from '../parse/index.js';
import { InMemoryQueryExecutor } from './in-memory-query-executor.js';

const policy = productPolicy();

/** Rows as dirty as they come: the types are what a data set promises, the values what it holds. */
const rows = [
  { id: 'p1', title: 'Alien', price: 5, status: Status.Draft, level: Level.High },
  { id: 'p2', title: 300, price: '7', sku: null },
  { id: 'p3', title: null, price: 'cheap', status: 'gone' },
  { id: 'p4', price: NaN, level: 7 },
  { id: 'p5', title: 'alien', price: [5], sold: 'true' },
] as unknown as ProductRead[];

const executor = new InMemoryQueryExecutor<ProductRead>(rows);

const list = async (query: object) => executor.list(parseListQuery(query, policy));

const idsOf = async (query: object) => (await list(query)).rows.map((row) => row.id);

describe('filters over dirty rows', () => {
  it.each<[string, object, string[]]>([
    ['a number among titles by its text', { title: '300' }, ['p2']],
    ['text that differs in case not at all', { title: 'Alien' }, ['p1']],
    ['text that differs in case, with $ilike', { title: { $ilike: 'ALIEN' } }, ['p1', 'p5']],
    ['patterns over the text of a number', { title: { $like: '3__' } }, ['p2']],
    ['a numeral among numbers as the number', { price: { $gte: 6 } }, ['p2']],
    ['what is no number as null', { price: null }, ['p3', 'p4', 'p5']],
    ['null and absent alike', { title: null }, ['p3', 'p4']],
    ['null and absent with $neq', { title: { $neq: 'Alien' } }, ['p2', 'p3', 'p4', 'p5']],
    ['null and absent with $nin', { title: { $nin: ['Alien', '300'] } }, ['p3', 'p4', 'p5']],
    ['nothing with an empty $in', { title: { $in: [] } }, []],
    ['everything with an empty $nin', { title: { $nin: [] } }, ['p1', 'p2', 'p3', 'p4', 'p5']],
    ['nothing with no patterns', { title: { $like: [] } }, []],
    ['any of several patterns', { title: { $like: ['A%', '3%'] } }, ['p1', 'p2']],
    ['a value that the enum does not have, as no null', { status: { $null: false } }, ['p1', 'p3']],
    ['a boolean by its text', { sold: true }, ['p5']],
    ['numbers of an enum', { level: [2] }, ['p1']],
    ['nothing ordered against null', { price: { $lt: 100 } }, ['p1', 'p2']],
  ])('find %s', async (_what, values, expected) => {
    expect(await idsOf({ filters: { $values: values } })).toEqual(expected);
  });

  it('negate two-valued: $not matches what the filter does not', async () => {
    expect(await idsOf({ filters: { $not: { $values: { price: { $gte: 6 } } } } })).toEqual(['p1', 'p3', 'p4', 'p5']);
  });

  it('search with $regex', async () => {
    expect(await idsOf({ filters: { $values: { title: { $regex: '^[aA]l' } } } })).toEqual(['p1', 'p5']);
  });
});

describe('rows', () => {
  it('come back as they are, the very objects', async () => {
    const { rows: found } = await list({});
    expect(found[1]).toBe(rows[1]);
    expect(found[1]?.title).toBe(300);
  });

  it('sort totally, what is not of the kind as null', async () => {
    expect(await idsOf({ sorts: { price: 'asc' } })).toEqual(['p3', 'p4', 'p5', 'p1', 'p2']);
    expect(await idsOf({ sorts: { price: 'desc' } })).toEqual(['p2', 'p1', 'p3', 'p4', 'p5']);
    expect(await idsOf({ sorts: { price: { dir: 'asc', nulls: 'last' } } })).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    expect(await idsOf({ sorts: { title: 'asc' } })).toEqual(['p3', 'p4', 'p2', 'p1', 'p5']);
  });

  it('keep their order where nothing tells them apart', async () => {
    const twins = Array.from({ length: 500 }, (_, index) => ({ id: 'same', title: `t${index % 2}`, index }));
    const plan = parseListQuery({ sorts: { title: 'asc' }, size: 5 }, policy);
    const { rows: found } = await new InMemoryQueryExecutor(twins).list(plan);
    expect(found.map((row) => row.index)).toEqual([0, 2, 4, 6, 8]);
  });

  it('are those of the call where it brings some', async () => {
    const own = rows.filter((row) => row.id !== 'p1');
    const answer = await executor.list(parseListQuery({ filters: { $values: { title: 'Alien' } } }, policy), own);
    expect(answer).toEqual({ rows: [], hasMore: false, total: 0 });
  });

  it('are none where there are none', async () => {
    expect(await new InMemoryQueryExecutor<ProductRead>().list(parseListQuery({}, policy))).toEqual({
      rows: [],
      hasMore: false,
      total: 0,
    });
  });
});

describe('pages', () => {
  it('tell where they are, and whether there is more', async () => {
    const plan = parseListQuery({ page: 2, size: 2 }, policy);
    const answer = await executor.list(plan);
    expect(answer).toMatchObject({ hasMore: true, total: 5 });
    expect(toPage(plan, answer)).toEqual({ hits: [rows[2], rows[3]], page: 2, size: 2, count: 5 });
  });

  it('past the end are empty, never all rows', async () => {
    expect(await list({ page: 1_000_000, size: 100 })).toEqual({ rows: [], hasMore: false, total: 5 });
  });
});

describe('a cancelled query', () => {
  it('is not run', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(executor.list(parseListQuery({}, policy), rows, signal)).rejects.toThrow('gone');
  });
});
