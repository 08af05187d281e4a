import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsDate, IsInt, IsString, IsUUID } from 'class-validator';
import { eq, sql } from 'drizzle-orm';
import { datetime, int, mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import { integer, pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { QueryPolicy, parseAggregateQuery, parseListQuery, resolveQueryPolicy } from '../../../lib/query/index.js';
import { DrizzleQueryExecutor } from '../../../lib/stores/drizzle/index.js';
import { AwkwardRead, awkwardRows } from '../support/awkward-rows.js';
import { silentMysql, silentPostgres } from './support/silent-drivers.js';
import { openSqlite, sqliteRows } from './support/sqlite-store.js';

@QueryPolicy({ returnable: ['id', 'title'] })
class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsInt() stars!: number;
  @IsDate() writtenAt!: Date;
}

const policy = resolveQueryPolicy(NoteRead);
const list = parseListQuery(
  {
    filters: { $or: [{ $values: { title: 'a' } }, { $not: { $values: { stars: { $gt: 3 } } } }] },
    sorts: { writtenAt: 'desc' },
    page: 2,
    size: 5,
  },
  policy,
);
const aggregate = parseAggregateQuery(
  { $groups: { title: 'title' }, $computed: { sum: { $sum: 'stars' } }, filters: { $values: { stars: { $gte: 1 } } } },
  policy,
);

describe('the statements', () => {
  it('are these on PostgreSQL, in the schema and the casing of the application', async () => {
    const { database, statements } = silentPostgres();
    const notes = pgSchema('app').table('notes', {
      id: uuid(),
      title: text(),
      stars: integer(),
      writtenAt: timestamp({ withTimezone: true }),
      tenant: text(),
    });
    const executor = new DrizzleQueryExecutor(database, notes, { readModel: NoteRead });
    await executor.list(list, eq(notes.tenant, 't1'));
    await executor.aggregate(aggregate, eq(notes.tenant, 't1'));
    const writtenAt = `to_char("app"."notes"."written_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24.MI.SS.US')`;
    const where = `("app"."notes"."tenant" = $1) AND ("app"."notes"."title" = $2 OR ("app"."notes"."stars" <= CAST($3 AS bigint) OR "app"."notes"."stars" IS NULL))`;
    expect(statements.sent.map(({ text: sent }) => sent)).toEqual([
      `select CAST("app"."notes"."id" AS text), "app"."notes"."title", ${writtenAt} from "app"."notes" where ${where} ORDER BY "app"."notes"."written_at" DESC NULLS LAST, "app"."notes"."id" ASC NULLS FIRST LIMIT 6 OFFSET 5`,
      `select COUNT(*) from "app"."notes" where ${where}`,
      `SELECT "outputs"."g0" AS "g0", "outputs"."c0" AS "c0" FROM (SELECT "app"."notes"."title" COLLATE "C" AS "g0", CAST(SUM("app"."notes"."stars") AS double precision) AS "c0" FROM "app"."notes" WHERE ("app"."notes"."tenant" = $1) AND "app"."notes"."stars" >= CAST($2 AS bigint) GROUP BY 1) AS "outputs" ORDER BY "outputs"."g0" COLLATE "C" ASC NULLS FIRST LIMIT 100 OFFSET 0`,
    ]);
    expect(statements.sent.map(({ parameters }) => parameters)).toEqual([
      ['t1', 'a', '3'],
      ['t1', 'a', '3'],
      ['t1', '1'],
    ]);
  });

  it('are these on MySQL', async () => {
    const { database, statements } = silentMysql();
    const notes = mysqlTable('notes', {
      id: varchar({ length: 36 }),
      title: varchar({ length: 80 }),
      stars: int(),
      writtenAt: datetime('written_at', { fsp: 3 }),
      tenant: varchar({ length: 36 }),
    });
    const executor = new DrizzleQueryExecutor(database, notes, { readModel: NoteRead });
    await executor.list(list, eq(notes.tenant, 't1'));
    await executor.aggregate(aggregate, eq(notes.tenant, 't1'));
    const writtenAt = "DATE_FORMAT(`notes`.`written_at`, '%Y-%m-%d %H.%i.%s.%f')";
    const where =
      '(`notes`.`tenant` = ?) AND ((`notes`.`title` = ? AND CAST(CONVERT(`notes`.`title` USING utf8mb4) AS BINARY) = CAST(CONVERT(? USING utf8mb4) AS BINARY)) OR (`notes`.`stars` <= CAST(? AS DECIMAL(65, 0)) OR `notes`.`stars` IS NULL))';
    expect(statements.sent.map(({ text: sent }) => sent)).toEqual([
      `select \`notes\`.\`id\`, \`notes\`.\`title\`, ${writtenAt} from \`notes\` where ${where} ORDER BY \`notes\`.\`written_at\` DESC, CAST(CONVERT(LOWER(CONVERT(\`notes\`.\`id\` USING utf8mb4)) USING utf8mb4) AS BINARY) ASC LIMIT 6 OFFSET 5`,
      `select COUNT(*) from \`notes\` where ${where}`,
      'SELECT `outputs`.`g0` AS `g0`, `outputs`.`c0` AS `c0` FROM (SELECT CAST(CONVERT(`notes`.`title` USING utf8mb4) AS BINARY) AS `g0`, CAST(SUM(`notes`.`stars`) AS DOUBLE) AS `c0` FROM `notes` WHERE (`notes`.`tenant` = ?) AND `notes`.`stars` >= CAST(? AS DECIMAL(65, 0)) GROUP BY 1) AS `outputs` ORDER BY CAST(CONVERT(`outputs`.`g0` USING utf8mb4) AS BINARY) ASC LIMIT 100 OFFSET 0',
    ]);
    expect(statements.sent.map(({ parameters }) => parameters)).toEqual([
      ['t1', 'a', 'a', '3'],
      ['t1', 'a', 'a', '3'],
      ['t1', '1'],
    ]);
  });
});

describe('the statements on SQLite', () => {
  const awkward = resolveQueryPolicy(AwkwardRead);
  const rows = awkwardRows({ isExact: false });
  let store: Awaited<ReturnType<typeof openSqlite>>;
  beforeAll(async () => {
    store = await openSqlite(rows);
  });
  afterAll(() => store.close());

  const sentFor = async (request: unknown) => {
    store.statements.sent.length = 0;
    await store.executor.list(parseListQuery(request, awkward), sql`true`);
    return [...store.statements.sent];
  };

  it('are one where the page tells how many rows there are, and two otherwise', async () => {
    const one = { $values: { title: 'a' } };
    expect(await sentFor({ filters: one, size: 100 })).toHaveLength(1);
    expect(await sentFor({ size: 10 })).toHaveLength(2);
    expect(await sentFor({ filters: one, page: 50, size: 10 })).toHaveLength(2);
  });

  it('use an index on $eq and $in', async () => {
    for (const title of ['a', { $in: ['a', 'b'] }]) {
      const [read] = await sentFor({ filters: { $values: { title } } });
      const plan = store.database.$client
        .prepare(`EXPLAIN QUERY PLAN ${read?.text ?? ''}`)
        .all(...(read?.parameters ?? []));
      expect(JSON.stringify(plan)).toContain('SEARCH awkward USING INDEX by_title');
    }
  });

  it('read no column that rows may not hold', async () => {
    const notes = new DrizzleQueryExecutor(store.database, sqliteRows, {
      readModel: AwkwardRead,
      allowUnscoped: true,
    });
    store.statements.sent.length = 0;
    const narrow = parseListQuery({ size: 3 }, resolveQueryPolicyFor(['id', 'title']));
    const { rows: found } = await notes.list(narrow);
    expect(Object.keys(found[0] ?? {})).toEqual(['id', 'title']);
    expect(found[0]).toBeInstanceOf(AwkwardRead);
    expect(store.statements.sent[0]?.text).not.toContain('price');
  });

  it('run in the transaction that the executor was given', async () => {
    const seen: unknown[] = [];
    const pending: Promise<unknown>[] = [];
    store.database.transaction((transaction) => {
      transaction.run(sql`UPDATE awkward SET stock = 12345 WHERE id = ${rows[0]?.id}`);
      const inside = new DrizzleQueryExecutor(transaction, sqliteRows, { readModel: AwkwardRead });
      const request = parseListQuery({ filters: { $values: { stock: 12345 } } }, awkward);
      pending.push(inside.list(request, sql`true`).then(({ total }) => seen.push(total)));
    });
    await Promise.all(pending);
    expect(seen).toEqual([1]);
  });

  it('walk a list by cursor, forward and back, every row once', async () => {
    const sorts = { stock: { dir: 'desc', nulls: 'first' }, createdAt: 'asc', views: 'desc' };
    const pageOf = async (cursor: object) => {
      const plan = parseListQuery({ sorts, size: 7, ...cursor }, awkward, { paging: 'cursor' });
      const { rows: found, hasMore, edges } = await store.executor.list(plan, sql`true`);
      const tokenOf = (edge: object | undefined) =>
        plan.paging.kind === 'cursor' && edge ? plan.paging.cursorOf(edge) : undefined;
      return { ids: found.map(({ id }) => id), hasMore, first: tokenOf(edges?.first), last: tokenOf(edges?.last) };
    };
    const forward = [await pageOf({})];
    while (forward.at(-1)?.hasMore) forward.push(await pageOf({ after: forward.at(-1)?.last }));
    const backward = [await pageOf({ before: forward.at(-1)?.first })];
    while (backward[0]?.hasMore) backward.unshift(await pageOf({ before: backward[0].first }));
    const ids = forward.flatMap((page) => page.ids);
    expect(new Set(ids).size).toBe(200);
    expect(ids).toHaveLength(200);
    expect(backward.flatMap((page) => page.ids)).toEqual(ids.slice(0, -(forward.at(-1)?.ids.length ?? 0)));
  });
});

function resolveQueryPolicyFor(returnable: readonly string[]) {
  return { ...resolveQueryPolicy(AwkwardRead), returnable };
}
