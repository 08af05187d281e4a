import { InMemoryAgentStore, type AgentStore } from 'nestjs-palette';
import { migrate, PostgresAgentStore } from 'nestjs-palette/postgres';
import { Pool } from 'pg';

export interface OpenedStore {
  readonly store: AgentStore;
  /** What it is, for people. */
  readonly name: string;
  close(): Promise<void>;
}

/** PostgreSQL where there is an address, else the memory of this process. */
export async function openStore(databaseUrl: string | undefined, schema = 'palette_sample_02'): Promise<OpenedStore> {
  if (databaseUrl === undefined || databaseUrl === '') {
    return { store: new InMemoryAgentStore(), name: 'the memory of this process', close: async () => undefined };
  }
  const pool = new Pool({ connectionString: databaseUrl });
  await migrate(pool, { schema });
  return { store: new PostgresAgentStore(pool, { schema }), name: 'PostgreSQL', close: () => pool.end() };
}
