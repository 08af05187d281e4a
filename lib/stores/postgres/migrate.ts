import { readdir, readFile } from 'node:fs/promises';
import { inTransaction } from './sql/connections.js';
import type { PgClient, PostgresDatabase } from './sql/database-types.js';
import type { PostgresAgentStoreOptions } from './postgres-agent-store.options.js';
import { StoreNames } from './sql/store-session.js';

const FOLDER = new URL('./migrations/', import.meta.url);

/**
 * Creates the store's tables, or brings them up to this version of the library, in one transaction; any number of processes
 * may do so at once. The schema is created where it is missing. Migrations of a later version are left alone.
 *
 * @returns the names of the migrations that were run, in order; none where there was nothing to do
 */
export async function migrate(
  database: PostgresDatabase,
  { schema = 'public' }: Pick<PostgresAgentStoreOptions, 'schema'> = {},
): Promise<readonly string[]> {
  const names = new StoreNames(schema);
  const migrations = await migrationFiles();
  return inTransaction(database, async ({ client }) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`nestjs-palette:${schema}`]);
    await createSchema(client, schema);
    await client.query(`SET LOCAL search_path TO "${schema}"`);
    const done = await doneMigrations(client, names);
    const missing = migrations.filter((name) => !done.has(name));
    for (const name of missing) await runMigration(client, names, name);
    return missing;
  });
}

/** The SQL files of the library, in the order in which they are run. */
export async function migrationFiles(): Promise<readonly string[]> {
  const files = await readdir(FOLDER);
  return files.filter((name) => name.endsWith('.sql')).sort();
}

async function createSchema(client: PgClient, schema: string): Promise<void> {
  // `IF NOT EXISTS` asks for the right to create schemas also where there is nothing to create.
  const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA "${schema}"`);
}

async function doneMigrations(client: PgClient, names: StoreNames): Promise<ReadonlySet<unknown>> {
  const table = names.table('migrations');
  const { rows: tables } = await client.query('SELECT to_regclass($1) IS NULL AS is_missing', [table]);
  if (tables[0]?.['is_missing'] === true) {
    await client.query(`CREATE TABLE ${table} (name text PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())`);
  }
  const { rows } = await client.query(`SELECT name FROM ${table}`);
  return new Set(rows.map((row) => row['name']));
}

async function runMigration(client: PgClient, names: StoreNames, name: string): Promise<void> {
  await client.query(await readFile(new URL(name, FOLDER), 'utf8'));
  await client.query(`INSERT INTO ${names.table('migrations')} (name) VALUES ($1)`, [name]);
}
