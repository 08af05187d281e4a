import type { AggregatePlan, ListPlan } from './ast.js';
import type { FieldKind, FilterOperator, MeasureFunction } from './kinds/index.js';

/** What a store can run. The policy that is advertised is narrowed to it, so that no advertised operator fails. */
export interface Capabilities {
  readonly operators: readonly FilterOperator[];
  /** Functions over a field; whatever aggregates can count rows. */
  readonly functions: readonly MeasureFunction[];
  /** What it can run over fields of some kinds, where that is less. */
  readonly functionsByKind?: Readonly<Partial<Record<FieldKind, readonly MeasureFunction[]>>>;
}

export interface ListResult<Row> {
  /** In the plan's order, also where they were read backward. */
  readonly rows: Row[];
  /** Whether there are rows beyond these: after them, or before them where they were read backward. */
  readonly hasMore: boolean;
  /** Rows that the filter matches, on all pages; absent where the store was not asked to count. */
  readonly total?: number;
  /**
   * The sort keys of the first and the last row, by field name, where the rows do not hold them as exactly as the store
   * does: columns that were not selected, microseconds that a `Date` drops. Cursors are made of them.
   */
  readonly edges?: { readonly first: object; readonly last: object };
}

/** What a store answers that counted. */
export interface CountedListResult<Row> extends ListResult<Row> {
  readonly total: number;
}

/**
 * Runs plans against a store. Every implementation agrees with `InMemoryQueryExecutor`, or its capabilities say no.
 * @typeParam Row what the store yields
 * @typeParam Base the application's own starting point: a query builder, a where clause, an array. Its conditions stand
 * outside the caller's filter, which cannot get around them.
 */
export interface QueryExecutor<Row, Base> {
  readonly capabilities: Capabilities;
  list(query: ListPlan, base?: Base, signal?: AbortSignal): Promise<ListResult<Row>>;
  aggregate?(query: AggregatePlan, base?: Base, signal?: AbortSignal): Promise<Record<string, unknown>[]>;
}
