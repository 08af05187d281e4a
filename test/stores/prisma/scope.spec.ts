import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseListQuery, resolveQueryPolicy } from '../../../lib/query/index.js';
import { PrismaQueryExecutor, type PrismaScope, type PrismaWhere } from '../../../lib/stores/prisma/index.js';
import { catchError } from '../../support/catch-error.js';
import { postgresSchema } from '../../support/servers.js';
import { AwkwardRead, awkwardRows } from '../support/awkward-rows.js';
import { postgresClient, sqliteClient } from './awkward-client.js';
import type { AwkwardClient } from './generated-client.js';

const policy = resolveQueryPolicy(AwkwardRead);
const place = await postgresSchema('prisma_scope');
const rows = awkwardRows({ isExact: false }).slice(0, 60);

/** Conditions that Prisma itself is asked for, too: the rows must be the same. */
const WHERES: readonly PrismaWhere[] = [
  {},
  { title: 'a' },
  { title: null },
  { sku: { not: 'a' } },
  { sku: { not: null } },
  { NOT: { sku: 'a' } },
  { NOT: { NOT: { sku: 'a' } } },
  { NOT: [{ sku: 'a' }, { stock: 7 }] },
  { NOT: { sku: 'a', stock: 7 } },
  { NOT: { OR: [{ sku: 'a' }, { stock: 7 }] } },
  { OR: [] },
  { AND: [] },
  { OR: [{ title: 'a' }, { title: 'A' }, { stock: { gte: 7 } }] },
  { AND: [{ sold: true }, { stock: { lt: 7 } }] },
  { AND: { sold: true }, price: { gt: 0 } },
  { title: { in: ['a', 'A', 'ä'] } },
  { title: { in: [] } },
  { title: { notIn: [] } },
  { sku: { notIn: ['a', ''] } },
  { sku: { not: { in: ['a', ''] } } },
  { stock: { gt: -3, lte: 7, not: 0 } },
  { cost: { gte: '0.3' } },
  { views: 9007199254740993n },
  { views: { lte: -5 } },
  { status: 'draft' },
  { status: { in: ['draft', 'Archived'] } },
  { createdAt: { gte: new Date('2024-03-31T01:00:00Z') } },
  { createdAt: new Date('1970-01-01T00:00:00.000Z') },
  { id: rows[0]?.id ?? '' },
];

/** Scopes that would mean every row, or that nobody has read. */
const REFUSED: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a text', 'tenant = 1'],
  ['a value that is undefined', { title: undefined }],
  ['an operand that is undefined', { title: { equals: undefined } }],
  ['a list of undefined', { title: { in: [undefined] } }],
  ['undefined deeper down', { AND: [{ OR: [{ title: 'a' }, { sku: undefined }] }] }],
  ['AND that is undefined', { AND: undefined }],
  ['an own __proto__ key', JSON.parse('{"__proto__":{"title":"a"}}')],
  ['conditions on its prototype', Object.create({ title: 'a' })],
  ['an accessor', Object.defineProperty({}, 'title', { get: () => undefined, enumerable: true })],
  ['a field of another name', { tenant: 'a' }],
  ['constructor', { constructor: 'a' }],
  ['an operator that is not read', { title: { contains: 'a' } }],
  ['a mode', { title: { equals: 'a', mode: 'insensitive' } }],
  ['an order of text', { title: { gt: 'a' } }],
  ['a value of another type', { stock: '7' }],
  ['a list', [{ title: 'a' }]],
  ['empty SQL', { strings: [''], values: [] }],
  ['SQL with a parameter that is undefined', { strings: ['title = ', ''], values: [undefined] }],
];

function describeScopes(name: string, open: () => Promise<AwkwardClient>, schema?: string): void {
  describe(`a scope of Prisma on ${name}`, () => {
    let client: AwkwardClient;
    let statements: string[] = [];
    const executor = (over: AwkwardClient = client, allowUnscoped = false) =>
      new PrismaQueryExecutor(over, {
        readModel: AwkwardRead,
        model: 'AwkwardRow',
        allowUnscoped,
        ...(schema && { schema }),
      });
    const plan = (request: object) => parseListQuery({ size: 100, ...request }, { ...policy, maxSize: 100 });
    const idsWithin = async (scope: PrismaScope, request: object = {}) =>
      (await executor().list(plan(request), scope)).rows.map(({ id }) => id).sort();

    beforeAll(async () => {
      client = (await open()).$extends({
        query: {
          $queryRawUnsafe: ({ args, query }: { args: [string]; query: (args: unknown) => Promise<unknown> }) => {
            statements.push(args[0]);
            return query(args);
          },
        },
      });
    }, 60_000);
    afterAll(() => client.$disconnect());

    it('means the same as to Prisma', async () => {
      for (const where of WHERES) {
        const expected = await client.awkwardRow.findMany({ where, select: { id: true } });
        expect([where, await idsWithin(where)]).toEqual([where, expected.map(({ id }) => id).sort()]);
      }
    });

    it('cannot be got around by a filter', async () => {
      const filters = { $or: [{ $values: { title: { $null: true } } }, { $not: { $values: { title: { $in: [] } } } }] };
      const within = await idsWithin({ stock: 7 });
      expect(within.length).toBeLessThan(rows.length);
      expect(await idsWithin({ stock: 7 }, { filters })).toEqual(within);
      expect(await idsWithin({ strings: ['stock = ', ' OR stock = ', ''], values: [7, 7] }, { filters })).toEqual(
        within,
      );
      expect(await idsWithin({ OR: [] }, { filters })).toEqual([]);
    });

    it.each(REFUSED)('is refused: %s', async (_name, scope) => {
      const error = await catchError(() => executor().list(plan({}), scope as PrismaScope));
      expect(error).toMatchObject({ code: 'query_store_base_unsupported' });
    });

    it('is asked for, unless the executor may do without', async () => {
      expect(await catchError(() => executor().list(plan({})))).toMatchObject({ code: 'query_store_base_unsupported' });
      expect((await executor(client, true).list(plan({}))).total).toBe(rows.length);
    });

    it('sends two statements at most, and one where the page tells the number', async () => {
      const lists = executor();
      await lists.list(plan({}), {});
      const sent = async (request: object) => {
        statements = [];
        await lists.list(plan(request), {});
        return statements.length;
      };
      expect(await sent({ size: 100 })).toBe(1);
      expect(await sent({ size: 10 })).toBe(2);
      expect(await sent({ page: 50, size: 10 })).toBe(2);
      expect(statements.join()).not.toContain('OFFSET -');
    });

    it('keeps what a caller sent out of the text of statements', async () => {
      statements = [];
      await idsWithin({ title: 'of the scope' }, { filters: { $values: { title: `'; --`, sku: { $like: 'mine%' } } } });
      expect(statements.join()).not.toMatch(/of the scope|; --|mine/);
    });

    it('holds in a transaction, and runs nothing for a caller who has left', async () => {
      const count = await client.$transaction(
        async (inner) => (await executor(inner).list(plan({}), { stock: 7 })).total,
      );
      expect(count).toBe((await idsWithin({ stock: 7 })).length);
      statements = [];
      await expect(executor().list(plan({}), {}, AbortSignal.abort())).rejects.toThrow('aborted');
      expect(statements).toEqual([]);
    });

    it('refuses a plan that the store cannot run', async () => {
      const filters = { $values: { title: { $regex: '^a' } } };
      const error = await catchError(() => executor().list(plan({ filters }), {}));
      expect(error).toMatchObject({ code: 'query_unsupported_by_store' });
    });
  });
}

describeScopes('SQLite', () => sqliteClient(rows));
if (place !== undefined) {
  describeScopes('PostgreSQL', () => postgresClient(rows, place), place.place);
  afterAll(() => place.drop());
}

describe('a Prisma executor', () => {
  it('is not made for a model or a field that is not there', async () => {
    const client = await sqliteClient([]);
    const make = (model: string) => new PrismaQueryExecutor(client, { readModel: AwkwardRead, model });
    expect(() => make('Nothing')).toThrow('no model "Nothing"');
    expect(() => make('__proto__')).toThrow('no model "__proto__"');
    const misnamed = { readModel: AwkwardRead, model: 'AwkwardRow', columns: { title: 'name' } };
    expect(() => new PrismaQueryExecutor(client, misnamed)).toThrow('title');
    expect(() => new PrismaQueryExecutor({ $queryRawUnsafe: client.$queryRawUnsafe }, misnamed)).toThrow('Prisma 7');
    await client.$disconnect();
  });
});
