import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SchemaContext } from '../../lib/operations/index.js';
import {
  InMemoryQueryExecutor,
  QueryError,
  aggregateQuerySchema,
  listQuerySchema,
  parseAggregateQuery,
  parseListQuery,
  toPage,
  type ResolvedQueryPolicy,
} from '../../lib/query/index.js';
import { NoteRead, policyOf, productPolicy } from '../query/product-read.js';

/**
 * A limit of -1 meant "all rows" and answered `limit=2` with everything; a limit of 0 divided by zero. Here what is out
 * of range is refused, by the same bounds in schema and enforcement, and a policy without a maximum still has one.
 * @see https://github.com/ppetzold/nestjs-paginate/issues/958
 * @see https://github.com/nestjsx/nestjs-typeorm-paginate/pull/927
 */
const policy = policyOf(NoteRead);

const rows = Array.from({ length: 500 }, (_, index) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  title: `t${index}`,
  category: `c${index}`,
  body: '',
}));
const executor = new InMemoryQueryExecutor<NoteRead>(rows);

const SIZES: unknown[] = [-1, 0, 101, 1e9, 2.5, 1e308, '10', '-1', null, 'NaN', true, [10], { $gt: 0 }];
const PAGES: unknown[] = [0, -1, 1e12, 0.5, '1', null, []];

const forms = [
  ['list', listQuerySchema, (raw: object, under: ResolvedQueryPolicy) => parseListQuery(raw, under)],
  [
    'aggregate',
    aggregateQuerySchema,
    (raw: object, under: ResolvedQueryPolicy) => parseAggregateQuery({ $groups: { c: 'category' }, ...raw }, under),
  ],
] as const;

describe.each(forms)('the page of a %s query', (_name, schemaOf, parse) => {
  const context = new SchemaContext();
  const schema = schemaOf(policy, context);
  const validate = new Ajv2020({ strict: true }).compile({ ...schema, $defs: { ...context.definitions } });

  it.each([...SIZES.map((size) => ({ size })), ...PAGES.map((page) => ({ page }))])(
    'is refused as %j, by schema and by enforcement, with the bounds',
    (raw) => {
      expect(validate(raw)).toBe(false);
      expect(() => parse(raw, policy)).toThrow(QueryError);
      expect(() => parse(raw, policy)).toThrow(expect.objectContaining({ code: 'page_invalid' }));
    },
  );

  it.each([{ size: 1 }, { size: 100 }, { page: 1 }, { page: 1_000_000, size: 100 }, {}])(
    'is accepted as %j, by schema and by enforcement',
    (raw) => {
      expect(validate(raw)).toBe(true);
      expect(() => parse(raw, policy)).not.toThrow();
    },
  );

  it('states its bounds as an integer', () => {
    expect(schema.properties?.['size']).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
  });

  it('is capped where the policy says nothing of it', () => {
    const open = productPolicy();
    expect(open.maxSize).toBe(100);
    expect(() => parseListQuery({ size: 101 }, open)).toThrow(expect.objectContaining({ code: 'page_invalid' }));
  });
});

describe('the rows of a page', () => {
  it.each([
    [{}, 20],
    [{ size: 1 }, 1],
    [{ size: 100 }, 100],
    [{ page: 5, size: 100 }, 100],
    [{ page: 6, size: 100 }, 0],
    [{ page: 1_000_000 }, 0],
  ])('of %j are never all rows', async (raw, count) => {
    const plan = parseListQuery(raw, policy);
    const page = toPage(plan, await executor.list(plan));
    expect(page.hits).toHaveLength(count);
    expect(page.count).toBe(500);
  });

  it('of an aggregate are never all groups', async () => {
    expect(await executor.aggregate(parseAggregateQuery({ $groups: { c: 'category' } }, policy))).toHaveLength(100);
  });
});
