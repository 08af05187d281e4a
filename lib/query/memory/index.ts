export { IN_MEMORY_CAPABILITIES, InMemoryQueryExecutor } from './in-memory-query-executor.js';
