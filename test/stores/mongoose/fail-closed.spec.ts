import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseAggregateQuery, parseListQuery, resolveQueryPolicy, type FilterNode } from '../../../lib/query/index.js';
import { narrowToCapabilities } from '../../../lib/query/policy/narrow-to-capabilities.js';
import { AwkwardRead, awkwardRows } from '../support/awkward-rows.js';
import { openAwkwardStore, type AwkwardStore } from './support/awkward-store.js';

const rows = awkwardRows({ isExact: true });
const field = { name: 'title', kind: 'string', enumValues: [] } as const;
let store: AwkwardStore;
const policy = () => narrowToCapabilities(resolveQueryPolicy(AwkwardRead), store.executor.capabilities);
const list = (query: object) => store.executor.list(parseListQuery({ size: 100, ...query }, policy()), {});
const planOf = (filter: FilterNode) => ({ ...parseListQuery({}, policy()), filter });

beforeAll(() => {
  store = openAwkwardStore(rows);
});

describe('what a caller sends', () => {
  it.each<[string, unknown]>([
    ['$where', { $where: 'sleep(1000)' }],
    ['$where as a field', { $values: { $where: 'true' } }],
    ['$expr', { $expr: { $eq: [1, 1] } }],
    ['$ne of the store', { $values: { title: { $ne: null } } }],
    ['$gt of text', { $values: { title: { $gt: '' } } }],
    ['an expression', { $values: { title: { $regex: '^(a+)+$' } } }],
    ['an operator as an operand', { $values: { title: { $eq: { $ne: null } } } }],
    ['an own __proto__', JSON.parse('{"$values":{"__proto__":{"$eq":"a"}}}')],
    ['an operand that is one', JSON.parse('{"$values":{"title":{"$eq":{"__proto__":{}}}}}')],
    ['nothing to combine', { $and: [] }],
    ['nothing to choose from', { $or: [] }],
    ['no field', { $values: {} }],
  ])('is refused before it is sent: %s', async (_name, filters) => {
    const before = store.mingo.sent.length;
    await expect(async () => list({ filters })).rejects.toMatchObject({ status: 400 });
    expect(store.mingo.sent).toHaveLength(before);
  });

  it('is a value where it looks like a path, an operator or a variable', async () => {
    for (const text of ['$sku', '$$ROOT', '$where', '{"$ne":null}', '.*']) {
      expect((await list({ filters: { $values: { title: text } } })).rows).toEqual([]);
      const computed = { n: { $count: { filter: { $values: { title: text } } } } };
      const plan = parseAggregateQuery({ $computed: computed }, policy());
      expect(await store.executor.aggregate(plan, {})).toEqual([{ n: 0 }]);
    }
    expect((await list({ filters: { $values: { title: 'a' } } })).rows).not.toEqual([]);
  });

  it('matches nothing with an empty $in, and everything with an empty $nin', async () => {
    expect((await list({ filters: { $values: { title: { $in: [] } } } })).total).toBe(0);
    expect((await list({ filters: { $values: { title: { $nin: [] } } } })).total).toBe(rows.length);
  });
});

describe('a plan that no parser makes', () => {
  it.each<[string, FilterNode]>([
    ['combines nothing', { type: 'and', filters: [] }],
    ['chooses from nothing', { type: 'or', filters: [] }],
    ['holds $regex', { type: 'pattern', field, operator: '$regex', patterns: ['a'] }],
    ['names no path', { type: 'null', field: { ...field, name: 'secret' }, isNull: true }],
    ['names an operator', { type: 'null', field: { ...field, name: '$where' }, isNull: true }],
    ['names __proto__', { type: 'null', field: { ...field, name: '__proto__' }, isNull: true }],
    ['names constructor', { type: 'null', field: { ...field, name: 'constructor' }, isNull: true }],
    ['takes text for a number', { type: 'null', field: { ...field, name: 'price' }, isNull: true }],
  ])('is not sent where it %s', async (_name, filter) => {
    const before = store.mingo.sent.length;
    await expect(store.executor.list(planOf(filter))).rejects.toBeInstanceOf(TypeError);
    expect(store.mingo.sent).toHaveLength(before);
  });

  it('matches nothing where it lists no patterns', async () => {
    const filter: FilterNode = { type: 'pattern', field, operator: '$like', patterns: [] };
    expect((await store.executor.list(planOf(filter))).total).toBe(0);
  });
});

describe('the base of a query', () => {
  const everything = () => parseListQuery({}, policy());

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', '{}'],
    ['a list', []],
    ['a field of undefined', { title: undefined }],
    ['undefined further in', { $and: [{ title: { $eq: undefined } }] }],
    ['an empty $or', { $or: [] }],
    ['an empty $and further in', { $and: [{ $nor: [] }] }],
  ])('is refused where it is %s', async (_name, base) => {
    const before = store.mingo.sent.length;
    await expect(store.executor.list(everything(), base as never)).rejects.toBeInstanceOf(TypeError);
    await expect(
      store.executor.aggregate(parseAggregateQuery({ $computed: { n: { $count: null } } }, policy()), base as never),
    ).rejects.toBeInstanceOf(TypeError);
    expect(store.mingo.sent).toHaveLength(before);
  });

  it('stands outside whatever the caller asks for', async () => {
    const base = { sold: true };
    const sold = rows.filter((row) => row.sold === true).length;
    const around = { $or: [{ $values: { sold: { $null: true } } }, { $not: { $values: { sold: true } } }] };
    expect((await store.executor.list(everything(), base)).total).toBe(sold);
    expect((await store.executor.list(parseListQuery({ filters: around }, policy()), base)).total).toBe(0);
    const nothing = { $values: { sold: { $nin: [] } } };
    expect((await store.executor.list(parseListQuery({ filters: nothing }, policy()), base)).total).toBe(sold);
    const counted = { $computed: { n: { $count: null } }, filters: nothing };
    expect(await store.executor.aggregate(parseAggregateQuery(counted, policy()), base)).toEqual([{ n: sold }]);
  });

  it('is cast as find casts it, and left as it was', async () => {
    const base = { cost: { $gte: '0.3' }, $and: [{ createdAt: { $lt: '2024-03-31T01:00:00Z' } }] };
    const before = structuredClone(base);
    const expected = rows.filter(
      (row) =>
        row.cost !== null &&
        Number(row.cost) >= 0.3 &&
        row.createdAt !== null &&
        +row.createdAt < Date.parse('2024-03-31T01:00:00Z'),
    );
    expect((await store.executor.list(everything(), base)).total).toBe(expected.length);
    expect(base).toEqual(before);
  });

  it('keeps a condition on a path that the schema has not, whatever strictQuery says', async () => {
    const { mongoose } = store.mingo;
    for (const strictQuery of [true, 'throw', false] as const) {
      mongoose.set('strictQuery', strictQuery);
      expect((await store.executor.list(everything(), { tenant: 'x' })).total).toBe(0);
    }
  });

  it('is sanitised where the application sanitises its filters', async () => {
    const { mongoose } = store.mingo;
    mongoose.set('sanitizeFilter', true);
    try {
      await expect(store.executor.list(everything(), { sold: { $ne: null } })).rejects.toMatchObject({
        name: 'CastError',
      });
      const trusted = { sold: mongoose.trusted({ $ne: null }) };
      expect((await store.executor.list(everything(), trusted)).total).toBe(
        rows.filter((row) => row.sold !== null).length,
      );
    } finally {
      mongoose.set('sanitizeFilter', false);
    }
  });
});
