import { SQL, is } from 'drizzle-orm';
import { QueryStoreError } from '../query-store-error.js';

/** The application's own condition, and a signal. */
export type DrizzleCall = readonly [base?: SQL, signal?: AbortSignal];

/**
 * The application's condition of a call; none where it was left out and may be. What is given must be SQL: Drizzle's
 * `or()` and `and()` of nothing are undefined, and would stand for every row.
 * @throws QueryStoreError `query_store_base_unsupported`
 */
export function scopeOf(call: DrizzleCall, allowUnscoped: boolean): SQL | undefined {
  const [base] = call;
  if (is(base, SQL)) return base;
  if (call.length > 0) return refuse('it is no SQL: or() and and() of nothing are undefined, which is no condition');
  if (allowUnscoped) return undefined;
  return refuse('it is missing: pass a condition of what the caller may see, or set `allowUnscoped`');
}

function refuse(what: string): never {
  throw new QueryStoreError('query_store_base_unsupported', { parameters: { store: 'DrizzleQueryExecutor', what } });
}
