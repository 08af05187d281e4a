import type { FieldName, SortDirection } from '../ast.js';
import type { FieldKind, FilterOperator, MeasureFunction, ZoneOffset } from '../kinds/index.js';

/** What one field may be used for in an aggregate: its values as groups, functions over it, or both. */
export type Aggregation = 'group' | MeasureFunction;

/**
 * The fields of a read model that a caller may use, and how. Each axis stands alone: being in one grants nothing in
 * another. An axis that is not set holds every field that a row is read with; an empty one holds none.
 * @typeParam Name the names of the read model's fields
 */
export interface QueryPolicyAxes<Name extends string> {
  /** Fields to filter by: with every operator of their kind, or with the operators listed. Default: every read field. */
  readonly filterable?: readonly Name[] | { readonly [Field in Name]?: true | readonly FilterOperator[] };
  /** Fields to sort by. Default: every read field. */
  readonly sortable?: readonly Name[];
  /**
   * Fields to aggregate: `'group'` groups by the field, a list names the functions over it (and `'group'`), `true` is
   * everything its kind has. Default: every read field.
   */
  readonly aggregatable?: readonly Name[] | { readonly [Field in Name]?: true | 'group' | readonly Aggregation[] };
  /** The only fields that rows may hold, whatever the handler answered with. Default: no limit. */
  readonly returnable?: readonly Name[];
  /** The kinds of fields whose TypeScript type says too little. Default: as the DTO's decorators and types say. */
  readonly kinds?: { readonly [Field in Name]?: FieldKind };
  /** The field whose values are unique: the last sort of every query. Default: `id`, where the read model has it. */
  readonly tieBreaker?: Name;
  /** The largest page. Default: 100. */
  readonly maxSize?: number;
  /** The order where a caller asks for none; it need not be sortable. Default: the tie-breaker's. */
  readonly defaultSort?: { readonly [Field in Name]?: SortDirection };
  /** How a date and time without a zone is read: `UTC` or an offset such as `+02:00`. Default: `UTC`. */
  readonly zone?: ZoneOffset;
  /** Bounds of one request. */
  readonly limits?: QueryLimitsOptions;
}

/**
 * Options of `@QueryPolicy`, with names checked against the read model.
 * @typeParam T the read model
 */
export type QueryPolicyOptions<T> = QueryPolicyAxes<FieldName<T>>;

export interface QueryLimitsOptions {
  /** How deep filters may nest, `$values` included. Default: 8. */
  readonly maxDepth?: number;
  /** Conditions of one request: operators, patterns and computed values together. Default: 256. */
  readonly maxClauses?: number;
  /** Elements of one `$in` or `$nin`. Default: 1000. */
  readonly maxListLength?: number;
  /** Characters of one pattern. Default: 256. */
  readonly maxPatternLength?: number;
  /** Patterns of one `$like`, `$ilike` or `$regex`. Default: 32. */
  readonly maxPatterns?: number;
  /** The highest page number. Default: 1000000. */
  readonly maxPage?: number;
  /** Bytes of the request as compact JSON. Default: 65536. */
  readonly maxRequestBytes?: number;
}

export type QueryLimits = Readonly<Required<QueryLimitsOptions>>;

export const DEFAULT_LIMITS: QueryLimits = Object.freeze({
  maxDepth: 8,
  maxClauses: 256,
  maxListLength: 1000,
  maxPatternLength: 256,
  maxPatterns: 32,
  maxPage: 1_000_000,
  maxRequestBytes: 65_536,
});

export const DEFAULT_MAX_SIZE = 100;

/** The page size where a list query states none: enough to answer from, cheap for a model to read. */
export function defaultListSize({ maxSize }: { readonly maxSize: number }): number {
  return Math.min(20, maxSize);
}
