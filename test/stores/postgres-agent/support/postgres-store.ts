import { Pool } from 'pg';
import {
  migrate,
  PostgresAgentStore,
  type PostgresAgentStoreOptions,
  type PostgresDatabase,
} from 'nestjs-palette/postgres';
import type { StoreUnderTest } from 'nestjs-palette/testing';
import { POSTGRES, postgresSchema, type OwnPlace } from '../../../support/servers.js';

const TABLES = ['conversations', 'entries', 'operations', 'calls', 'approvals'];

/** The store's tables in a schema of their own, and a pool. */
export class PostgresPlace {
  private constructor(
    readonly place: OwnPlace,
    readonly pool: Pool,
  ) {}

  get schema(): string {
    return this.place.place;
  }

  /** For tests of `describeOnPostgres`. */
  static async open(name: string, connections = 20): Promise<PostgresPlace> {
    const opened = new PostgresPlace(await ownSchema(name), poolOf(connections));
    await migrate(opened.pool, { schema: opened.schema });
    return opened;
  }

  store(options: PostgresAgentStoreOptions = {}, database: PostgresDatabase = this.pool): PostgresAgentStore {
    return new PostgresAgentStore(database, { schema: this.schema, ...options });
  }

  /** Two stores over emptied tables. */
  async underTest(database: PostgresDatabase = this.pool): Promise<StoreUnderTest> {
    await this.pool.query(`TRUNCATE ${TABLES.map((name) => this.table(name)).join(', ')}`);
    return { store: this.store({}, database), replica: this.store(), advance: (ms) => this.advance(ms) };
  }

  table(name: string): string {
    return `"${this.schema}".palette_${name}`;
  }

  /** Lets time pass for what is stored: the server's clock is nobody's to move. */
  async advance(ms: number): Promise<void> {
    const [conversations, calls, approvals] = ['conversations', 'calls', 'approvals'].map((name) => this.table(name));
    await this.pool.query(
      `UPDATE ${conversations} SET created_at = created_at - ${ms}, updated_at = updated_at - ${ms}, lease_ends_at = lease_ends_at - ${ms};
       UPDATE ${calls} SET updated_at = updated_at - ${ms};
       UPDATE ${approvals} SET created_at = created_at - ${ms}, expires_at = expires_at - ${ms}`,
    );
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.place.drop();
  }
}

export async function ownSchema(name: string): Promise<OwnPlace> {
  const place = await postgresSchema(name);
  if (place === undefined) throw new Error('PostgreSQL has gone.');
  return place;
}

export function poolOf(max: number): Pool {
  const { host, port, user, password, database } = POSTGRES;
  return new Pool({ host, port, user, password, database, max });
}
