export { QueryStoreError } from '../query-store-error.js';
export { TypeOrmQueryExecutor } from './typeorm-query-executor.js';
export type { TypeOrmQueryExecutorOptions } from './typeorm-query-executor.options.js';
