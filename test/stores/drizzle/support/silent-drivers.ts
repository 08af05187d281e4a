import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { recorder } from './recorder.js';

/** PostgreSQL without a server: every statement finds nothing. */
export function silentPostgres() {
  const statements = recorder();
  const client = { query: () => Promise.resolve({ rows: [] }) };
  return { statements, database: drizzlePostgres(client as never, { logger: statements, casing: 'snake_case' }) };
}

/** MySQL without a server. */
export function silentMysql() {
  const statements = recorder();
  const client = { query: () => Promise.resolve([[], []]), on: () => undefined };
  return { statements, database: drizzleMysql(client as never, { logger: statements }) };
}
