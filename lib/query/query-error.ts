import { PaletteError, type ErrorCode } from '../common/index.js';

export type QueryIssueCode = Extract<
  ErrorCode,
  | `field_${string}`
  | `filter_${string}`
  | `sort_${string}`
  | `page_${string}`
  | `cursor_${string}`
  | `aggregate_${string}`
  | 'query_unsupported_by_store'
>;

/** One thing that is wrong with a query. It never holds an operand. */
export interface QueryIssue {
  readonly code: QueryIssueCode;
  /** Where in the request, as a JSON pointer. @see RFC 6901 */
  readonly pointer: string;
  /** The field name that was sent, where it looks like one. */
  readonly field?: string;
  readonly operator?: string;
  /** What may stand there instead: names, operators, values or bounds; a description where they cannot be listed. */
  readonly allowed?: readonly (string | number | boolean)[];
}

/** A refused query, with every issue of it in `details`. `code` is that of the first. */
export class QueryError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:QueryError');

  constructor(readonly issues: readonly [QueryIssue, ...QueryIssue[]]) {
    super(issues[0].code, { details: issues });
  }
}
