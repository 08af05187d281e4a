import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { NoteRead, policyOf, productPolicy } from '../../../test/query/product-read.js';
import type { JsonSchema } from '../../common/index.js';
import { SchemaContext } from '../../operations/index.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';
import { aggregateQuerySchema, listQuerySchema } from './index.js';

type Build = (policy: ResolvedQueryPolicy, context: SchemaContext) => JsonSchema;

function documentOf(build: Build, policy: ResolvedQueryPolicy): JsonSchema {
  const context = new SchemaContext();
  const schema = build(policy, context);
  return { ...schema, $defs: { ...context.definitions } };
}

const compile = (document: JsonSchema) => new Ajv2020({ strict: true }).compile(document);

const closed = productPolicy({ filterable: [], sortable: [], aggregatable: [], returnable: [] });

describe.each<[string, Build]>([
  ['listQuerySchema', listQuerySchema],
  ['aggregateQuerySchema', aggregateQuerySchema],
])('%s', (_name, build) => {
  it.each([
    ['the recipe', policyOf(NoteRead)],
    ['every kind', productPolicy()],
    ['nothing at all', closed],
    [
      'some operators',
      productPolicy({ filterable: { title: ['$like'], price: ['$gte', '$null'] }, aggregatable: { price: ['$sum'] } }),
    ],
  ])('compiles under strict Ajv for a policy of %s', (_what, policy) => {
    expect(() => new Ajv2020({ strict: true }).compile(documentOf(build, policy))).not.toThrow();
  });

  it('is closed, and bounds pages as they are bounded', () => {
    const { properties, additionalProperties, type } = documentOf(build, productPolicy({ maxSize: 50 }));
    expect([type, additionalProperties]).toEqual(['object', false]);
    expect(properties?.['page']).toMatchObject({ type: 'integer', minimum: 1, maximum: 1_000_000 });
    expect(properties?.['size']).toMatchObject({ type: 'integer', minimum: 1, maximum: 50 });
  });

  it('leaves out what the policy does not have', () => {
    const names = Object.keys(documentOf(build, closed).properties ?? {});
    expect(names).not.toContain('filters');
    expect(names).not.toContain('select');
    expect(names).not.toContain('$groups');
  });

  it('names no field that is not allowed', () => {
    const policy = productPolicy({
      filterable: ['title'],
      sortable: ['price'],
      aggregatable: ['status'],
      returnable: ['id'],
    });
    const text = JSON.stringify(documentOf(build, policy));
    for (const name of ['secret', 'stock', 'cost', 'views']) expect(text).not.toContain(name);
  });
});

describe('the schema of a list query', () => {
  const document = documentOf(listQuerySchema, productPolicy());

  it('types operands by field and operator', () => {
    const validate = compile(document);
    const accepts = (condition: object) => validate({ filters: { $values: condition } });
    expect(accepts({ title: 'x', price: { $gte: 5 }, status: ['draft'], sku: null, sold: { $neq: true } })).toBe(true);
    expect(accepts({ title: { $regex: ['^a', 'b$'] }, createdAt: { $lt: '2024-01-01T00:00:00Z' } })).toBe(true);
    expect(accepts({ title: { $gt: 'x' } })).toBe(false);
    expect(accepts({ price: { $like: 'x' } })).toBe(false);
    expect(accepts({ status: 'lost' })).toBe(false);
    expect(accepts({ cost: 5 })).toBe(false);
    expect(accepts({ title: { $eq: null } })).toBe(false);
    expect(accepts({ secret: 'x' })).toBe(false);
    expect(accepts({})).toBe(false);
  });

  it('recurs through one reference', () => {
    const validate = compile(document);
    const leaf = { $values: { sold: true } };
    expect(validate({ filters: { $or: [{ $not: { $and: [leaf] } }, leaf] } })).toBe(true);
    expect(validate({ filters: { $or: [] } })).toBe(false);
    expect(validate({ filters: { ...leaf, $or: [leaf] } })).toBe(false);
    const references = JSON.stringify(document).match(/#\/\$defs\/ProductReadFilter"/g) ?? [];
    expect(references.length).toBe(4);
  });

  it('states the operators of fields of one kind once', () => {
    const properties = document.$defs?.['ProductReadFilter']?.properties?.['$values']?.properties ?? {};
    expect(properties['title']).toEqual(properties['sku']);
    expect(properties['title']).toEqual({ $ref: '#/$defs/ProductRead_string' });
  });
});

describe('the schema of an aggregate query', () => {
  it('offers a function for the fields that have it', () => {
    const policy = productPolicy({ aggregatable: { status: 'group', price: ['$sum', '$avg'] } });
    const validate = compile(documentOf(aggregateQuerySchema, policy));
    expect(validate({ $groups: { s: 'status' }, $computed: { n: { $count: null }, p: { $sum: 'price' } } })).toBe(true);
    expect(validate({ $computed: { p: { $avg: { field: 'price', filter: { $values: { sold: true } } } } } })).toBe(
      true,
    );
    expect(validate({ $groups: { p: 'price' } })).toBe(false);
    expect(validate({ $computed: { s: { $sum: 'status' } } })).toBe(false);
    expect(validate({ $computed: { s: { $max: 'price' } } })).toBe(false);
    expect(validate({ $computed: { s: { $sum: 'price', $avg: 'price' } } })).toBe(false);
  });
});
