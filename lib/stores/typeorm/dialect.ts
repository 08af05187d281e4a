import type { DataSource } from 'typeorm';
import type { SqlDialect } from '../../query/sql/index.js';
import { QueryStoreError } from '../query-store-error.js';

const DIALECTS: Readonly<Record<string, SqlDialect>> = {
  'better-sqlite3': 'sqlite',
  sqljs: 'sqlite',
  postgres: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
};

/** @throws QueryStoreError for a database whose SQL is not known here */
export function dialectOf({ options: { type } }: DataSource): SqlDialect {
  const dialect = Object.hasOwn(DIALECTS, type) ? DIALECTS[type] : undefined;
  if (dialect !== undefined) return dialect;
  const what = `its database is ${type}, and only ${Object.keys(DIALECTS).join(', ')} are known`;
  throw new QueryStoreError('query_store_base_unsupported', { parameters: { store: 'TypeOrmQueryExecutor', what } });
}
