import Database from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, numeric, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { DrizzleQueryExecutor } from '../../../../lib/stores/drizzle/index.js';
import { AwkwardRead } from '../../support/awkward-rows.js';
import { recorder } from './recorder.js';

export const sqliteRows = sqliteTable('awkward', {
  id: text().primaryKey(),
  title: text('Title'),
  sku: text(),
  price: real(),
  ratio: real(),
  stock: integer(),
  cost: numeric(),
  views: numeric({ mode: 'bigint' }),
  sold: integer({ mode: 'boolean' }),
  status: text(),
  level: integer(),
  released: text(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }),
});

const TABLE = `CREATE TABLE awkward (
  id text PRIMARY KEY, "Title" text, sku text, price real, ratio real, stock integer, cost numeric, views numeric,
  sold integer, status text, level integer, released text, created_at integer)`;

export async function openSqlite(rows: readonly AwkwardRead[]) {
  const client = new Database(':memory:');
  const statements = recorder();
  const database = drizzle(client, { logger: statements });
  client.exec(TABLE);
  client.exec('CREATE INDEX by_title ON awkward ("Title")');
  const values = rows.map((row) => ({ ...row, views: row.views === null ? null : BigInt(row.views) }));
  if (values.length > 0) database.insert(sqliteRows).values(values).run();
  return {
    executor: new DrizzleQueryExecutor(database, sqliteRows, { readModel: AwkwardRead }),
    database,
    statements,
    base: () => sql`true`,
    close: async () => void client.close(),
  };
}
