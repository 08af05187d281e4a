import type { SQL, Table } from 'drizzle-orm';
import type { SqlDialect } from '../../query/sql/index.js';
import type { DrizzleDatabase } from './drizzle-dialect.js';

type Row = Readonly<Record<string, unknown>>;

/** What the three dialects of Drizzle have in common, which their types do not say. */
interface AnyDatabase {
  select(fields: object): { from(table: Table): { where(rest: SQL): PromiseLike<readonly Row[]> } };
  /** SQLite. */
  all(statement: SQL): PromiseLike<readonly Row[]> | readonly Row[];
  /** PostgreSQL and MySQL. */
  execute(statement: SQL): PromiseLike<unknown>;
}

/**
 * Selects through Drizzle, which reads rows by its columns and knows the table, for its cache.
 * @param rest the condition, and what stands behind it in the statement
 */
export async function selectRows(
  database: DrizzleDatabase,
  fields: object,
  table: Table,
  rest: SQL,
): Promise<readonly Row[]> {
  return (database as unknown as AnyDatabase).select(fields).from(table).where(rest);
}

/** Runs a whole statement; rows are as the driver has them. */
export async function rowsOf(database: DrizzleDatabase, statement: SQL, dialect: SqlDialect): Promise<readonly Row[]> {
  const any = database as unknown as AnyDatabase;
  if (dialect === 'sqlite') return any.all(statement);
  const result = await any.execute(statement);
  // mysql2 answers with rows and their description; PostgreSQL's drivers with rows, or with a result that holds them.
  const rows: unknown = dialect === 'mysql' ? (result as readonly unknown[])[0] : result;
  return Array.isArray(rows) ? (rows as Row[]) : (rows as { readonly rows: Row[] }).rows;
}
