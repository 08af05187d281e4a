export { AgentStoreError } from '../agent-store-error.js';
export { currentTransaction, type PostgresTransaction } from './current-transaction.js';
export { migrate } from './migrate.js';
export { PostgresAgentStore } from './postgres-agent-store.js';
export type { PostgresAgentStoreOptions } from './postgres-agent-store.options.js';
export type { PgClient, PgDataSource, PgPool, PgQueryRunner, PostgresDatabase } from './sql/database-types.js';
