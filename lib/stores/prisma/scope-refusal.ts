import { QueryStoreError } from '../query-store-error.js';

/** What is wrong with a scope; it never holds a value. */
export function refuse(what: string): never {
  throw new QueryStoreError('query_store_base_unsupported', { parameters: { store: 'PrismaQueryExecutor', what } });
}
