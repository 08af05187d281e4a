export { InMemoryQueryExecutor } from './in-memory-query-executor.js';
