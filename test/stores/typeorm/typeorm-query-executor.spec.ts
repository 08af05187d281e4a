import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IsInt, IsNumber, IsString } from 'class-validator';
import type { DataSource, Repository, SelectQueryBuilder } from 'typeorm';
import { Column, DataSource as Source, Entity, PrimaryColumn } from 'typeorm';
import {
  QueryPolicy,
  parseAggregateQuery,
  parseListQuery,
  resolveQueryPolicy,
  type FilterNode,
  type ListPlan,
} from '../../../lib/query/index.js';
import { TypeOrmQueryExecutor } from '../../../lib/stores/typeorm/index.js';
import { catchError } from '../../support/catch-error.js';
import { Book, BookRead, Loan, StatementLog, openLibrary } from './library.js';

const policy = resolveQueryPolicy(BookRead);
const columns = { city: 'place.city' };
let log: StatementLog;
let dataSource: DataSource;
let books: Repository<Book>;
let executor: TypeOrmQueryExecutor<BookRead, Book>;

beforeEach(async () => {
  log = new StatementLog();
  dataSource = await openLibrary({ type: 'better-sqlite3', database: ':memory:' }, log);
  books = dataSource.getRepository(Book);
  executor = new TypeOrmQueryExecutor(books, { readModel: BookRead, columns });
});
afterEach(() => dataSource.destroy());

const tenantA = () => books.createQueryBuilder('book').where('book.tenant = :tenant', { tenant: 'a' });
const planOf = (filters?: unknown, rest: object = {}) =>
  parseListQuery({ ...(filters ? { filters } : {}), ...rest }, policy);

async function idsOf(plan: ListPlan, base: SelectQueryBuilder<Book> | undefined = tenantA()): Promise<number[]> {
  return (await executor.list(plan, base)).rows.map((row) => row.id);
}

describe('the base of a TypeORM query', () => {
  const EVERYTHING: readonly (readonly [string, unknown])[] = [
    ['no filter', undefined],
    ['$nin of nothing', { $values: { title: { $nin: [] } } }],
    ['$or of everything', { $or: [{ $values: { id: 1 } }, { $not: { $values: { id: 1 } } }] }],
    ['$not of nothing', { $not: { $values: { title: { $in: [] } } } }],
    ['a pattern of anything', { $values: { title: { $like: '%' } } }],
  ];

  it.each(EVERYTHING)('stands outside a filter that matches everything: %s', async (_what, filters) => {
    expect(await idsOf(planOf(filters))).toEqual([1, 2]);
  });

  it.each(EVERYTHING)('keeps what its own OR says, whatever follows it: %s', async (_what, filters) => {
    const base = tenantA().andWhere('book.id = 1').orWhere('book.id = 2');
    expect(await idsOf(planOf(filters), base)).toEqual([1, 2]);
    const narrow = { $and: [filters ?? { $values: { title: { $like: '%' } } }, { $values: { title: 'Five' } }] };
    expect(await idsOf(planOf(narrow), base)).toEqual([]);
  });

  it.each([
    ['$in of nothing', { $values: { title: { $in: [] } } }],
    ['no pattern', { $values: { title: { $like: [] } } }],
    ['$not of everything', { $not: { $values: { title: { $nin: [] } } } }],
    ['a row of another tenant', { $values: { title: 'Five' } }],
    ['a row that is deleted', { $values: { title: 'Gone' } }],
    ['text that SQL would run', { $values: { title: "' OR 1=1 --" } }],
    ['a name that is a parameter', { $values: { title: ':tenant' } }],
  ])('yields no row for %s', async (_what, filters) => {
    expect(await idsOf(planOf(filters))).toEqual([]);
  });

  it('is required, unless the executor was told that there is none', async () => {
    expect(await catchError(() => executor.list(planOf()))).toMatchObject({ code: 'query_store_base_unsupported' });
    expect(log.statements).toEqual([]);
    const open = new TypeOrmQueryExecutor(books, { readModel: BookRead, columns, allowUnscoped: true });
    expect((await open.list(planOf())).total).toBe(4);
  });

  it.each([
    ['take', (base: SelectQueryBuilder<Book>) => base.take(1)],
    ['skip', (base: SelectQueryBuilder<Book>) => base.skip(0)],
    ['limit', (base: SelectQueryBuilder<Book>) => base.limit(1)],
    ['groups', (base: SelectQueryBuilder<Book>) => base.groupBy('book.tenant')],
  ])('is refused with its own %s', async (_what, change) => {
    expect(await catchError(() => executor.list(planOf(), change(tenantA())))).toMatchObject({
      code: 'query_store_base_unsupported',
    });
    expect(log.statements).toEqual([]);
  });

  it('is refused where it selects from something else', async () => {
    const other = dataSource.getRepository(Loan).createQueryBuilder('loan') as unknown as SelectQueryBuilder<Book>;
    expect(await catchError(() => executor.list(planOf(), other))).toMatchObject({
      code: 'query_store_base_unsupported',
    });
  });

  it('may join what a row has many of, and yields each row once', async () => {
    const lent = tenantA().innerJoin('book.loans', 'loan').andWhere("loan.reader LIKE 'r%'");
    expect(await executor.list(planOf(undefined, { size: 1 }), lent)).toMatchObject({ hasMore: false, total: 1 });
    const plan = parseAggregateQuery({ $computed: { n: { $count: null } } }, policy);
    expect(await executor.aggregate(plan, lent)).toEqual([{ n: 1 }]);
  });

  it('is left as it was, its order aside', async () => {
    const base = tenantA().orderBy('book.id', 'DESC');
    const before = base.getQueryAndParameters();
    expect(await idsOf(planOf(undefined, { sorts: { title: 'asc' } }), base)).toEqual([1, 2]);
    expect(base.getQueryAndParameters()).toEqual(before);
  });

  it('may stand in a transaction, whose rows are then seen', async () => {
    const seen = await dataSource.transaction(async (manager) => {
      await manager.update(Book, 5, { tenant: 'a' });
      return idsOf(planOf(), manager.createQueryBuilder(Book, 'book').where("book.tenant = 'a'"));
    });
    expect(seen).toEqual([1, 2, 5]);
  });
});

describe('a list through TypeORM', () => {
  it('holds the read model and nothing else', async () => {
    const { rows } = await executor.list(planOf({ $values: { id: 1 } }), tenantA());
    expect(rows[0]).toBeInstanceOf(BookRead);
    const row = {
      id: 1,
      title: 'One',
      stock: 1,
      tags: ['x', 'y'],
      city: 'Rome',
      createdAt: expect.any(Date) as unknown,
    };
    expect({ ...rows[0] }).toEqual(row);
    expect(log.statements.join()).not.toMatch(/secret/);
  });

  it('reads from the store what was selected, no more', async () => {
    const { rows } = await executor.list(planOf(undefined, { select: ['title'] }), tenantA());
    expect(rows.map((row) => ({ ...row }))).toEqual([{ title: 'One' }, { title: 'Two' }]);
    expect(log.statements.join()).not.toMatch(/tags|createdAt/);
  });

  it.each([
    ['one statement where the page is not full', { size: 10 }, 1],
    ['two where there are more rows', { size: 1 }, 2],
    ['two past the last page', { size: 2, page: 9 }, 2],
  ])('sends %s', async (_what, page, statements) => {
    expect(await executor.list(planOf(undefined, page), tenantA())).toMatchObject({ total: 2 });
    expect(log.statements).toHaveLength(statements);
  });

  it('sends nothing once its caller has gone, and tells one who goes', async () => {
    expect(await catchError(() => executor.list(planOf(), tenantA(), AbortSignal.abort()))).toMatchObject({
      name: 'AbortError',
    });
    expect(log.statements).toEqual([]);
    const controller = new AbortController();
    const listed = catchError(() => executor.list(planOf(undefined, { size: 1 }), tenantA(), controller.signal));
    controller.abort();
    expect(await listed).toMatchObject({ name: 'AbortError' });
    expect(log.statements.length).toBeLessThan(2);
  });

  it.each([0, -1, Number.NaN])('reads nothing for a forged page of %p rows', async (size) => {
    const plan = planOf();
    const forged = { ...plan, paging: { ...plan.paging, size: size - 1 } } as ListPlan;
    expect(await catchError(() => executor.list(forged, tenantA()))).toBeInstanceOf(RangeError);
    expect(log.statements).toEqual([]);
  });

  it.each(['secret', '__proto__', 'constructor', 'tenant', 'tags'])(
    'refuses a plan of a field that it has no column for: %s',
    async (name) => {
      const field = { name, kind: 'string', enumValues: [] } as const;
      const filter: FilterNode = { type: 'comparison', field, operator: '$eq', operand: 'x' };
      expect(await catchError(() => executor.list({ ...planOf(), filter }, tenantA()))).toMatchObject({
        code: 'query_unsupported_by_store',
      });
      expect(log.statements).toEqual([]);
    },
  );

  it('refuses what it did not say it could', async () => {
    expect(executor.capabilities.operators).not.toContain('$regex');
    expect(
      await catchError(() => executor.list(planOf({ $values: { title: { $regex: 'x' } } }), tenantA())),
    ).toMatchObject({ code: 'query_unsupported_by_store', issues: [{ field: 'title', operator: '$regex' }] });
  });

  it('looks an equal title up in the index, within the scope', async () => {
    await executor.list(planOf({ $values: { title: 'One' } }), tenantA());
    const statement = (log.statements[0] ?? '').replaceAll('?', "'a'");
    const plan: { readonly detail: string }[] = await dataSource.query(`EXPLAIN QUERY PLAN ${statement}`);
    expect(plan[0]?.detail).toMatch(/SEARCH book USING INDEX IDX_\w+ \(title=\?\)/);
  });
});

describe('the columns of a TypeORM executor', () => {
  @Entity()
  class Priced {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'numeric', transformer: { from: Number, to: String } }) price!: number;
    @Column({ type: 'simple-json' }) note!: string;
    @Column({ type: 'varchar' }) weight!: string;
  }

  @QueryPolicy({ kinds: { weight: 'decimal' } })
  class PricedRead {
    @IsInt() id!: number;
    @IsNumber() price!: number;
    @IsString() note!: string;
    @IsString() weight!: string;
    @IsString() owner!: string;
  }

  @QueryPolicy({ filterable: ['price'], sortable: [], aggregatable: [] })
  class FittingRead {
    @IsInt() id!: number;
    @IsNumber() price!: number;
    @IsString() note!: string;
    @IsString() owner!: string;
  }

  let priced: DataSource;
  beforeEach(async () => {
    priced = await new Source({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Priced],
      synchronize: true,
    }).initialize();
  });
  afterEach(() => priced.destroy());

  it('are checked at once: what is missing, transformed or kept as something else', async () => {
    const fault = await catchError(
      () => new TypeOrmQueryExecutor(priced.getRepository(Priced), { readModel: PricedRead }),
    );
    expect(fault).toMatchObject({
      faults: [
        { code: 'query_store_column_unsupported', message: expect.stringMatching(/"price" .* transformer/) as unknown },
        { code: 'query_store_column_unsupported', message: expect.stringMatching(/"note" .* simple-json/) as unknown },
        { code: 'query_store_column_unsupported', message: expect.stringMatching(/"weight" .* decimal/) as unknown },
        { code: 'query_store_field_unmapped', message: expect.stringMatching(/"owner"/) as unknown },
      ],
    });
  });

  it('may be left to the application, read past a transformer, or only returned', async () => {
    await priced.getRepository(Priced).insert({ id: 1, price: 2.5, note: 'n', weight: '1' });
    const own = new TypeOrmQueryExecutor(priced.getRepository(Priced), {
      readModel: FittingRead,
      computed: ['owner'],
      storedAsIs: ['price'],
      allowUnscoped: true,
    });
    const plan = parseListQuery({ filters: { $values: { price: 2.5 } } }, resolveQueryPolicy(FittingRead));
    expect((await own.list(plan)).rows).toEqual([{ id: 1, price: 2.5, note: 'n' }]);
  });
});
