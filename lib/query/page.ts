import type { ListPlan } from './ast.js';
import type { CountedListResult } from './executor.js';

/** One page of rows, by number. */
export interface Page<Row> {
  readonly hits: Row[];
  /** From 1. */
  readonly page: number;
  /** The largest number of hits that the page could hold. */
  readonly size: number;
  /** Rows that the filter matches, on all pages. */
  readonly count: number;
}

/**
 * The page that a list query asked for, from what an executor answered.
 * @throws TypeError where the query pages by cursor
 */
export function toPage<Row>({ paging }: ListPlan, { rows, total }: CountedListResult<Row>): Page<Row> {
  if (paging.kind !== 'offset') throw new TypeError('The query pages by cursor: make its page with toCursorPage.');
  return { hits: rows, page: paging.page, size: paging.size, count: total };
}
