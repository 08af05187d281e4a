import { AgentStoreError } from '../../agent-store-error.js';
import type { PgClient, Row } from './database-types.js';

/** One connection, as the store's statements use it. */
export class StoreSession {
  /** @param prefix what table names begin with: the quoted schema, a dot and `palette_` */
  constructor(
    readonly client: PgClient,
    readonly names: StoreNames,
  ) {}

  /** Runs a statement in which `~name` stands for the store's table of that name. */
  async run(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const text = sql.replace(/~(\w+)/g, (_, table: string) => this.names.table(table));
    try {
      const { rows } = await this.client.query(text, [...parameters]);
      return rows;
    } catch (error) {
      throw isNotMigrated(error) ? this.notMigrated(error) : error;
    }
  }

  private notMigrated(cause: unknown): AgentStoreError {
    return new AgentStoreError('store_not_migrated', { parameters: { schema: this.names.schema }, cause });
  }
}

/** Where the store's tables are. */
export class StoreNames {
  constructor(readonly schema: string) {
    if (!/^[A-Za-z_][A-Za-z0-9_$-]{0,62}$/.test(schema)) {
      const what = 'is no name of a schema: a letter or "_", then letters, digits, "_", "$" and "-", 63 at most';
      throw new AgentStoreError('store_options_invalid', {
        parameters: { store: 'PostgresAgentStore', key: 'schema', what },
      });
    }
  }

  table(name: string): string {
    return `"${this.schema}".palette_${name}`;
  }
}

/** A table or a column that is not there. */
function isNotMigrated(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === '42P01' || code === '42703' || code === '3F000';
}
