import { is, type SQL, type Table } from 'drizzle-orm';
import { MySqlDialect, MySqlTable } from 'drizzle-orm/mysql-core';
import { PgDialect, PgTable } from 'drizzle-orm/pg-core';
import { SQLiteAsyncDialect, SQLiteSyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { SqlDialect } from '../../query/sql/index.js';

/** What `drizzle()` of any driver yields, its transactions and replicas. */
export interface DrizzleDatabase {
  select(): object;
}

const DIALECTS = [
  { dialect: 'sqlite', of: SQLiteSyncDialect, table: SQLiteTable },
  { dialect: 'sqlite', of: SQLiteAsyncDialect, table: SQLiteTable },
  { dialect: 'postgres', of: PgDialect, table: PgTable },
  { dialect: 'mysql', of: MySqlDialect, table: MySqlTable },
] as const;

/**
 * The dialect that a database and a table have in common.
 * @throws TypeError where they have none
 */
export function dialectOf(database: DrizzleDatabase, table: Table): SqlDialect {
  const own = ownDialect(database);
  const found = DIALECTS.find((each) => is(own, each.of) && is(table, each.table));
  if (found !== undefined) return found.dialect;
  throw new TypeError(
    'DrizzleQueryExecutor takes a database of drizzle-orm for SQLite, PostgreSQL or MySQL, and a table of the same.',
  );
}

/** A part of a statement as text, quoted and cased as the database's own statements are: columns and tables, no values. */
export function textOf(database: DrizzleDatabase, part: SQL): string {
  return ownDialect(database).sqlToQuery(part).sql;
}

/** Drizzle leaves it out of its declarations. */
function ownDialect(database: DrizzleDatabase): { sqlToQuery(part: SQL): { readonly sql: string } } {
  return (database as unknown as { readonly dialect: ReturnType<typeof ownDialect> }).dialect;
}
