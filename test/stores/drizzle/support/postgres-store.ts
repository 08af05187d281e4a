import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  numeric,
  pgSchema,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { DrizzleQueryExecutor } from '../../../../lib/stores/drizzle/index.js';
import type { OwnPlace } from '../../../support/servers.js';
import { AwkwardRead, Status } from '../../support/awkward-rows.js';
import { recorder } from './recorder.js';

export function postgresRows(place: string) {
  const schema = pgSchema(place);
  return schema.table('awkward', {
    id: uuid().primaryKey(),
    title: text('Title'),
    sku: varchar({ length: 255 }),
    price: doublePrecision(),
    ratio: doublePrecision(),
    stock: integer(),
    cost: numeric({ precision: 38, scale: 10 }),
    views: bigint({ mode: 'bigint' }),
    sold: boolean(),
    status: schema.enum('status', Status)(),
    level: integer(),
    released: date(),
    createdAt: timestamp('created_at', { withTimezone: true }),
  });
}

const tableIn = (place: string) => `
  CREATE TYPE ${place}.status AS ENUM ('published', 'draft', 'Archived');
  CREATE TABLE ${place}.awkward (
    id uuid PRIMARY KEY, "Title" text, sku varchar(255), price double precision, ratio double precision, stock integer,
    cost numeric(38, 10), views bigint, sold boolean, status ${place}.status, level integer, released date,
    created_at timestamptz);
  CREATE INDEX ON ${place}.awkward ("Title")`;

export async function openPostgres(server: OwnPlace, rows: readonly AwkwardRead[]) {
  const { place, host, port, user, password, database: name } = server;
  const pool = new Pool({ host, port, user, password, database: name });
  const statements = recorder();
  const database = drizzle(pool, { logger: statements });
  const table = postgresRows(place);
  await pool.query(tableIn(place));
  const values = rows.map((row) => ({ ...row, views: row.views === null ? null : BigInt(row.views) }));
  if (values.length > 0) await database.insert(table).values(values);
  return {
    executor: new DrizzleQueryExecutor(database, table, { readModel: AwkwardRead }),
    database,
    table,
    statements,
    base: () => sql`true`,
    close: async () => {
      await pool.end();
      await server.drop();
    },
  };
}
