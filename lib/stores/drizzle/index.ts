export type { DrizzleDatabase } from './drizzle-dialect.js';
export { DrizzleQueryExecutor } from './drizzle-query-executor.js';
export type { DrizzleQueryExecutorOptions } from './drizzle-query-executor.options.js';
export type { DrizzleCall } from './scope.js';
