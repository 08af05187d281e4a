import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import type { OwnPlace } from '../../support/servers.js';
import type { AwkwardRead } from '../support/awkward-rows.js';
import { generatedClient, type AwkwardClient } from './generated-client.js';

/** A table of awkward rows in SQLite, in memory. */
export async function sqliteClient(rows: readonly AwkwardRead[]): Promise<AwkwardClient> {
  const PrismaClient = await generatedClient('sqlite');
  const client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: ':memory:' }) });
  await client.$executeRawUnsafe(`CREATE TABLE awkward_rows (id TEXT PRIMARY KEY, title TEXT, sku TEXT, price REAL,
    ratio REAL, stock INTEGER, cost DECIMAL, views BIGINT, sold BOOLEAN, status TEXT, level INTEGER, released TEXT,
    created_at DATETIME)`);
  const data = rows.map((row) => ({ ...row, ratio: writable(row.ratio), views: bigintOf(row.views) }));
  await client.awkwardRow.createMany({ data });
  await writeLargest(client, 'awkward_rows', rows);
  return client;
}

/** The same in a schema of its own on PostgreSQL. */
export async function postgresClient(rows: readonly AwkwardRead[], { place, ...at }: OwnPlace): Promise<AwkwardClient> {
  const PrismaClient = await generatedClient('postgresql');
  const { host, port, user, password, database } = at;
  const adapter = new PrismaPg({ host, port, user, password, database }, { schema: place });
  const client = new PrismaClient({ adapter });
  await client.$executeRawUnsafe(`CREATE TYPE ${place}."Status" AS ENUM ('published', 'draft', 'Archived')`);
  await client.$executeRawUnsafe(`CREATE TABLE ${place}.awkward_rows (id uuid PRIMARY KEY, title text, sku text,
    price double precision, ratio double precision, stock integer, cost numeric(40, 10), views bigint, sold boolean,
    status ${place}."Status", level integer, released date, created_at timestamptz(6))`);
  const data = rows.map((row) => ({
    ...row,
    ratio: writable(row.ratio),
    views: bigintOf(row.views),
    released: row.released && new Date(`${row.released}T00:00:00Z`),
  }));
  await client.awkwardRow.createMany({ data });
  await writeLargest(client, `${place}.awkward_rows`, rows);
  return client;
}

/** Prisma writes numbers in 16 digits, which is too many for the largest of them: rounded up, it is infinite. */
function writable(ratio: number | null): number | null {
  return ratio === Number.MAX_VALUE ? 0 : ratio;
}

async function writeLargest(client: AwkwardClient, table: string, rows: readonly AwkwardRead[]): Promise<void> {
  const ids = rows.filter(({ ratio }) => ratio === Number.MAX_VALUE).map(({ id }) => `'${id}'`);
  if (ids.length === 0) return;
  await client.$executeRawUnsafe(`UPDATE ${table} SET ratio = ${Number.MAX_VALUE} WHERE id IN (${ids.join()})`);
}

function bigintOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
