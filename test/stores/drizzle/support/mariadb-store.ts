import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  datetime,
  decimal,
  double,
  int,
  mysqlEnum,
  mysqlTable,
  text,
  varchar,
} from 'drizzle-orm/mysql-core';
import { drizzle } from 'drizzle-orm/mysql2';
import { createPool } from 'mysql2/promise';
import { DrizzleQueryExecutor } from '../../../../lib/stores/drizzle/index.js';
import type { OwnPlace } from '../../../support/servers.js';
import { AwkwardRead, Status } from '../../support/awkward-rows.js';
import { recorder } from './recorder.js';

export const mariadbRows = mysqlTable('awkward', {
  id: varchar({ length: 36 }).primaryKey(),
  title: varchar('Title', { length: 255 }),
  sku: text(),
  price: double(),
  ratio: double(),
  stock: int(),
  cost: decimal({ precision: 38, scale: 10 }),
  views: bigint({ mode: 'bigint' }),
  sold: boolean(),
  status: mysqlEnum(Status),
  level: int(),
  released: date({ mode: 'string' }),
  createdAt: datetime('created_at', { fsp: 6 }),
});

const TABLE = `CREATE TABLE awkward (
  id varchar(36) PRIMARY KEY, Title varchar(255), sku text, price double, ratio double, stock int, cost decimal(38, 10),
  views bigint, sold boolean, status enum('published', 'draft', 'Archived'), level int, released date,
  created_at datetime(6), INDEX (Title))`;

export async function openMariadb(server: OwnPlace, rows: readonly AwkwardRead[]) {
  const { host, port, user, password, place } = server;
  const pool = createPool({ host, port, user, password, database: place });
  const statements = recorder();
  const database = drizzle(pool, { logger: statements });
  await pool.query(TABLE);
  const values = rows.map((row) => ({ ...row, views: row.views === null ? null : BigInt(row.views) }));
  if (values.length > 0) await database.insert(mariadbRows).values(values);
  return {
    executor: new DrizzleQueryExecutor(database, mariadbRows, { readModel: AwkwardRead }),
    database,
    statements,
    base: () => sql`true`,
    close: async () => {
      await pool.end();
      await server.drop();
    },
  };
}
