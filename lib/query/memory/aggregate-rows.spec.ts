import { describe, expect, it } from '@jest/globals';
import { productPolicy, type ProductRead } from '../../../test/query/product-read.js';
import { parseAggregateQuery } from '../parse/index.js';
import { InMemoryQueryExecutor } from './in-memory-query-executor.js';

const policy = productPolicy();

const rows = [
  { title: 'a', price: 0.1, stock: 1, cost: '0.1', views: '9007199254740993', sold: true, createdAt: new Date(0) },
  { title: 'a', price: 0.2, stock: 2, cost: '0.2', views: 1, sold: false, createdAt: '2024-01-01T00:00:00Z' },
  { title: 'b', price: 0.3, stock: null, cost: 'free', views: null, sold: true },
  { title: null, price: null, stock: 2.5, cost: '100000000000000000000.55' },
  { price: 7, stock: '4' },
  { title: 300, price: 1, stock: 5 },
] as unknown as ProductRead[];

const aggregate = (query: object, over: readonly ProductRead[] = rows) =>
  new InMemoryQueryExecutor<ProductRead>(over).aggregate(parseAggregateQuery(query, policy));

describe('groups', () => {
  it('come sorted by themselves, the group of null among them and first', async () => {
    expect(await aggregate({ $groups: { title: 'title' }, $computed: { n: { $count: null } } })).toEqual([
      { title: null, n: 2 },
      { title: '300', n: 1 },
      { title: 'a', n: 2 },
      { title: 'b', n: 1 },
    ]);
  });

  it('nest, and may be all that is asked for', async () => {
    expect(await aggregate({ $groups: { t: 'title', s: 'sold' } })).toEqual([
      { t: null, s: null },
      { t: '300', s: null },
      { t: 'a', s: false },
      { t: 'a', s: true },
      { t: 'b', s: true },
    ]);
  });

  it('are told as JSON values, equal values being one group', async () => {
    const twice = [{ cost: '1.50' }, { cost: 1.5 }, { cost: '1.5' }] as unknown as ProductRead[];
    expect(await aggregate({ $groups: { c: 'cost' }, $computed: { n: { $count: null } } }, twice)).toEqual([
      { c: '1.5', n: 3 },
    ]);
    expect(await aggregate({ $groups: { at: 'createdAt' }, size: 1, sorts: { at: 'desc' } })).toEqual([
      { at: '2024-01-01T00:00:00.000Z' },
    ]);
  });

  it('are none of no rows; without groups there is one row', async () => {
    const computed = { n: { $count: null }, s: { $sum: 'cost' }, a: { $avg: 'price' }, m: { $max: 'title' } };
    expect(await aggregate({ $groups: { t: 'title' }, $computed: computed }, [])).toEqual([]);
    expect(await aggregate({ $computed: computed }, [])).toEqual([{ n: 0, s: null, a: null, m: null }]);
  });
});

describe('computed values', () => {
  const one = async (computed: object, over?: readonly ProductRead[]) =>
    (await aggregate({ $computed: { x: computed } }, over))[0]?.['x'];

  it('are exact for decimals and big integers, as strings', async () => {
    expect(await one({ $sum: 'cost' })).toBe('100000000000000000000.85');
    expect(await one({ $sum: 'views' })).toBe('9007199254740994');
    expect(await one({ $max: 'views' })).toBe('9007199254740993');
    expect(await one({ $min: 'cost' })).toBe('0.1');
    expect(await one({ $avg: 'views' })).toBe(4503599627370497);
  });

  it('are numbers for numbers, with the rounding errors made good', async () => {
    const many = Array.from({ length: 10 }, () => ({ price: 0.1 })) as unknown as ProductRead[];
    expect(await one({ $sum: 'price' }, many)).toBe(1);
    expect(await one({ $avg: 'price' }, many)).toBe(0.1);
    expect(await one({ $sum: 'stock' })).toBe(12);
  });

  it('skip null, absent and what is not of the kind', async () => {
    expect(await one({ $avg: 'stock' })).toBe(3);
    expect(await one({ $count_distinct: 'title' })).toBe(3);
    expect(await one({ $count: null })).toBe(6);
  });

  it('of texts go by code point, of times by the moment', async () => {
    expect([await one({ $min: 'title' }), await one({ $max: 'title' })]).toEqual(['300', 'b']);
    expect(await one({ $max: 'createdAt' })).toBe('2024-01-01T00:00:00.000Z');
  });

  it('have filters of their own', async () => {
    const filter = { $values: { sold: true } };
    expect(await one({ $count: { filter } })).toBe(2);
    expect(await one({ $sum: { field: 'price', filter: { $not: filter } } })).toBe(8.2);
    expect(await one({ $max: { field: 'price', filter: { $values: { title: 'nobody' } } } })).toBeNull();
  });

  it('are null where no JSON number says them', async () => {
    const huge = [{ price: 1.7e308 }, { price: 1.7e308 }] as unknown as ProductRead[];
    expect([await one({ $sum: 'price' }, huge), await one({ $avg: 'price' }, huge)]).toEqual([null, null]);
  });
});

describe('an aggregate', () => {
  it('filters rows before and answers after, sorts by aliases and pages', async () => {
    const query = {
      $groups: { t: 'title' },
      $computed: { n: { $count: null }, s: { $sum: 'price' } },
      filters: { $values: { title: { $null: false } } },
      $having: { $or: [{ $values: { n: { $gte: 2 } } }, { $values: { t: 'b' } }] },
      sorts: { s: 'desc' },
    };
    expect(await aggregate(query)).toEqual([
      { t: 'a', n: 2, s: expect.closeTo(0.3) },
      { t: 'b', n: 1, s: 0.3 },
    ]);
    expect(await aggregate({ ...query, page: 2, size: 1 })).toHaveLength(1);
    expect(await aggregate({ ...query, page: 3, size: 1 })).toEqual([]);
  });

  it('compares exact results exactly', async () => {
    const query = { $groups: { t: 'title' }, $computed: { c: { $sum: 'cost' } } };
    expect(await aggregate({ ...query, $having: { $values: { c: '0.30' } } })).toEqual([{ t: 'a', c: '0.3' }]);
    expect(await aggregate({ ...query, sorts: { c: 'desc' }, size: 1 })).toEqual([
      { t: null, c: '100000000000000000000.55' },
    ]);
  });
});
