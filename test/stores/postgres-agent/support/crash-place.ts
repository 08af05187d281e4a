import { currentTransaction, PostgresAgentStore, type PostgresAgentStoreOptions } from 'nestjs-palette/postgres';
import { Pool } from 'pg';
import { POSTGRES } from '../../../support/servers.js';
import type { CrashPlace } from '../../agent-support/crashes/crash-app.js';

/** Where a process of the crash tests keeps what it does: a schema whose tables are there, and one more for bookings. */
export function crashPlace(schema: string, options: PostgresAgentStoreOptions = {}): CrashPlace {
  const { host, port, user, password, database } = POSTGRES;
  const pool = new Pool({ host, port, user, password, database, max: 10 });
  const table = `"${schema}".bookings`;
  return {
    store: new PostgresAgentStore(pool, { schema, ...options }),
    book: async (conversation) => {
      const transaction = currentTransaction();
      if (transaction === undefined) throw new Error('There is no transaction.');
      await transaction.client.query(`INSERT INTO ${table} VALUES ($1)`, [conversation]);
    },
    booked: async (conversation) => {
      const { rowCount } = await pool.query(`SELECT FROM ${table} WHERE conversation = $1`, [conversation]);
      return rowCount ?? 0;
    },
    close: () => pool.end(),
  };
}

/** Without a key: what is booked twice is there twice. */
export function bookingsTable(schema: string): string {
  return `CREATE TABLE "${schema}".bookings (conversation text NOT NULL)`;
}
