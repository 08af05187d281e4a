import type { ListPlan } from './ast.js';
import type { ListResult } from './executor.js';

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
 * @throws TypeError where the query pages by cursor, and where the store did not count
 */
export function toPage<Row>({ paging }: ListPlan, { rows, total }: ListResult<Row>): Page<Row> {
  if (paging.kind !== 'offset') throw new TypeError('The query pages by cursor: make its page with toCursorPage.');
  if (total === undefined) throw new TypeError('The store did not count the rows of a query that pages by number.');
  return { hits: rows, page: paging.page, size: paging.size, count: total };
}

/** One page of rows, by cursor. */
export interface CursorPage<Row> {
  readonly hits: Row[];
  /** To be sent as `after`, for the page after this one; null where there is none. */
  readonly nextCursor: string | null;
  /** To be sent as `before`, for the page before this one; null where there is none. */
  readonly prevCursor: string | null;
  /** Whether there are rows beyond these, the way that was asked: after them, or before them where `before` was sent. */
  readonly hasMore: boolean;
}

/**
 * The page that a list query with cursors asked for, from what an executor answered.
 * @throws TypeError where the query pages by number
 * @throws QueryCursorError `query_cursor_unfit` where a sort key of an edge cannot stand in a cursor
 */
export function toCursorPage<Row extends object>({ paging }: ListPlan, result: ListResult<Row>): CursorPage<Row> {
  if (paging.kind !== 'cursor') throw new TypeError('The query pages by number: make its page with toPage.');
  const { rows, hasMore } = result;
  const first = result.edges?.first ?? rows[0];
  const last = result.edges?.last ?? rows.at(-1);
  // The row of the cursor itself lies on the side that the page was read from.
  const isForward = paging.direction === 'forward';
  const hasBefore = isForward ? paging.seek !== undefined : hasMore;
  const hasAfter = isForward ? hasMore : paging.seek !== undefined;
  return {
    hits: rows,
    nextCursor: hasAfter && last ? paging.cursorOf(last) : null,
    prevCursor: hasBefore && first ? paging.cursorOf(first) : null,
    hasMore,
  };
}
