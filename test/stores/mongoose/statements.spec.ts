import { describe, expect, it } from '@jest/globals';
import { Schema } from 'mongoose';
import { parseAggregateQuery, parseListQuery, resolveQueryPolicy } from '../../../lib/query/index.js';
import { narrowToCapabilities } from '../../../lib/query/policy/narrow-to-capabilities.js';
import { MongooseQueryExecutor } from '../../../lib/stores/mongoose/index.js';
import { AwkwardRead, awkwardRows } from '../support/awkward-rows.js';
import { openAwkwardStore } from './support/awkward-store.js';
import { mingoModel } from './support/mingo-collection.js';

const store = openAwkwardStore(awkwardRows({ isExact: true }).slice(0, 5));
const policy = narrowToCapabilities(resolveQueryPolicy(AwkwardRead), store.executor.capabilities);
const { sent } = store.mingo;

describe('what is sent', () => {
  it('for a page by number is two statements, in binary collation, on paths that indexes serve', async () => {
    sent.length = 0;
    const query = { filters: { $values: { title: 'a', price: { $gte: 1 } } }, sorts: { stock: 'desc' }, size: 2 };
    await store.executor.list(parseListQuery(query, policy), { sold: 'true' });
    const asked = { $and: [{ title: { $eq: 'a' } }, { price: { $gte: 1 } }] };
    const match = { $match: { $and: [{ sold: true }, asked] } };
    expect(sent.map(({ pipeline }) => pipeline)).toEqual([
      [match, { $sort: { stock: -1, _id: 1 } }, { $skip: 0 }, { $limit: 3 }],
      [match, { $count: 'total' }],
    ]);
    expect(sent[0]?.options).toMatchObject({ collation: { locale: 'simple' } });
  });

  it('is a filter that Mongoose casts to itself', async () => {
    sent.length = 0;
    const values = { cost: '0.3', views: '9007199254740993', createdAt: { $gt: '2024-01-01T00:00:00Z' }, sold: [true] };
    const filters = { $or: [{ $values: values }, { $not: { $values: { title: { $like: '_%' }, price: null } } }] };
    await store.executor.list(parseListQuery({ filters }, policy));
    const { $match } = sent[0]?.pipeline[0] as { $match: Record<string, unknown> };
    const before = JSON.stringify($match, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    const cast = store.mingo.model.find().setOptions({ strictQuery: 'throw' }).cast(store.mingo.model, $match);
    expect(JSON.stringify(cast, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))).toBe(
      before,
    );
  });

  it('reads no more than rows may hold and what sorts them', async () => {
    sent.length = 0;
    const plan = { ...parseListQuery({ sorts: { price: 'asc' } }, policy), returnable: ['title'] };
    const { rows } = await store.executor.list(plan);
    expect(sent[0]?.pipeline.at(-1)).toEqual({ $project: { _id: 1, title: 1, price: 1 } });
    expect(rows.every((row) => Object.keys(row).every((key) => key === 'title'))).toBe(true);
  });

  it('is one statement for an aggregate, and none once the signal says so', async () => {
    sent.length = 0;
    const plan = parseAggregateQuery({ $groups: { s: 'sold' }, $computed: { n: { $count: null } } }, policy);
    await store.executor.aggregate(plan, {}, new AbortController().signal);
    expect(sent).toHaveLength(1);
    await expect(store.executor.aggregate(plan, {}, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(sent).toHaveLength(1);
  });

  it("passes the application's own aggregate middleware", async () => {
    const schema = new Schema({ title: String, tenant: String });
    schema.pre('aggregate', function () {
      this.pipeline().unshift({ $match: { tenant: 'x' } });
    });
    const { model, store: fill } = mingoModel(schema);
    fill([
      { title: 'a', tenant: 'x' },
      { title: 'a', tenant: 'y' },
    ]);
    const query = parseListQuery({ filters: { $values: { title: 'a' } } }, policy);
    const sorted = { ...query, sorts: [] };
    expect((await new MongooseQueryExecutor(model).list(sorted)).total).toBe(1);
  });
});
