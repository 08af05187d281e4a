import type { AggregatePlan, ListPlan } from '../ast.js';
import type { Capabilities, CountedListResult, QueryExecutor } from '../executor.js';
import { FILTER_OPERATORS, MEASURE_FUNCTIONS } from '../kinds/index.js';
import { readingOf, resultOf } from '../reading.js';
import { aggregateRows } from './aggregate-rows.js';
import { compileFilter, type Row } from './row-filter.js';
import { sortedSlice } from './row-order.js';

export const IN_MEMORY_CAPABILITIES: Capabilities = Object.freeze({
  operators: FILTER_OPERATORS,
  functions: MEASURE_FUNCTIONS,
});

/**
 * Runs plans over an array, and is the reference for every other store. Rows are never changed, and come back as they
 * are; a value that is not of its field's kind compares as null where it cannot be read as one without loss.
 */
export class InMemoryQueryExecutor<R extends object> implements QueryExecutor<R, readonly R[]> {
  readonly capabilities = IN_MEMORY_CAPABILITIES;

  /** @param rows what plans run over where a call brings no rows of its own */
  constructor(private readonly rows: readonly R[] = []) {}

  /** @param base the rows that the application lets the caller see; default: those of the constructor */
  async list(query: ListPlan, base: readonly R[] = this.rows, signal?: AbortSignal): Promise<CountedListResult<R>> {
    signal?.throwIfAborted();
    const matches = filterRows(query, base);
    const { paging } = query;
    const { sorts, offset, limit } = readingOf(query);
    const beyond = paging.kind === 'cursor' && paging.seek ? matches.filter(compileFilter(paging.seek)) : matches;
    const { rows, hasMore } = resultOf(query, sortedSlice(beyond, sorts, offset, limit));
    return { rows: rows as R[], hasMore, total: matches.length };
  }

  /** @param base the rows that the application lets the caller see; default: those of the constructor */
  async aggregate(
    query: AggregatePlan,
    base: readonly R[] = this.rows,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>[]> {
    signal?.throwIfAborted();
    return aggregateRows(query, filterRows(query, base));
  }
}

function filterRows({ filter }: ListPlan | AggregatePlan, base: readonly object[]): readonly Row[] {
  const rows = base as readonly Row[];
  return filter === undefined ? rows : rows.filter(compileFilter(filter));
}
