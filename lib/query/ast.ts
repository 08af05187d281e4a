import type {
  AggregateFunction,
  ComparisonOperator,
  FieldKind,
  ListOperator,
  MeasureFunction,
  Operand,
  PatternOperator,
  QueryField,
} from './kinds/index.js';

/**
 * What a caller may see as the names of a read model.
 * @typeParam T the read model
 */
export type FieldName<T> = Extract<keyof T, string>;

/**
 * A checked filter. Frozen; its fields are the policy's own objects, so no name in it was supplied by a caller.
 * Two-valued: `$neq`, `$nin` and `not` match null and absent values.
 */
export type FilterNode<Field extends QueryField = QueryField> =
  | AllOfNode<Field>
  | AnyOfNode<Field>
  | NotNode<Field>
  | ComparisonNode<Field>
  | ListNode<Field>
  | NullNode<Field>
  | PatternNode<Field>;

export interface AllOfNode<Field extends QueryField = QueryField> {
  readonly type: 'and';
  /** At least one. */
  readonly filters: readonly FilterNode<Field>[];
}

export interface AnyOfNode<Field extends QueryField = QueryField> {
  readonly type: 'or';
  /** At least one. */
  readonly filters: readonly FilterNode<Field>[];
}

export interface NotNode<Field extends QueryField = QueryField> {
  readonly type: 'not';
  readonly filter: FilterNode<Field>;
}

/**
 * Compares by the order of the field's kind: text by code point, `false` before `true`. A caller gets `$gt` and its like on
 * numbers and times only; `CursorPaging.seek` compares fields of every kind with them.
 */
export interface ComparisonNode<Field extends QueryField = QueryField> {
  readonly type: 'comparison';
  readonly field: Field;
  readonly operator: ComparisonOperator;
  readonly operand: Operand;
}

export interface ListNode<Field extends QueryField = QueryField> {
  readonly type: 'list';
  readonly field: Field;
  readonly operator: ListOperator;
  /** May be empty: `$in` then matches nothing, `$nin` everything. */
  readonly operands: readonly Operand[];
}

export interface NullNode<Field extends QueryField = QueryField> {
  readonly type: 'null';
  readonly field: Field;
  readonly isNull: boolean;
}

export interface PatternNode<Field extends QueryField = QueryField> {
  readonly type: 'pattern';
  readonly field: Field;
  readonly operator: PatternOperator;
  /** A value matches if one of them does; may be empty, which matches nothing. */
  readonly patterns: readonly string[];
}

export type SortDirection = 'asc' | 'desc';
export type NullsPosition = 'first' | 'last';

export interface SortKey<Field extends QueryField = QueryField> {
  readonly field: Field;
  readonly direction: SortDirection;
  /** Always stated: stores differ in what they do unasked. */
  readonly nulls: NullsPosition;
}

/** A page by number. `kind` tells it from other ways of paging. */
export interface OffsetPaging {
  readonly kind: 'offset';
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** Rows before the page: `(page - 1) * size`. */
  readonly offset: number;
}

/**
 * A page after a row or before one. `seek` and `readSorts` hold all that a store needs to know of it: `readingOf` puts
 * them together with the filter.
 */
export interface CursorPaging<Name extends string = string> {
  readonly kind: 'cursor';
  readonly size: number;
  /** Which way rows are read from the cursor; `backward` yields the last rows before it. */
  readonly direction: 'forward' | 'backward';
  /** Matches the rows beyond the cursor, those without a value included; absent on the first page. */
  readonly seek?: FilterNode<QueryField<Name>>;
  /** The order to read rows in: the plan's `sorts`, or their reverse. A page is answered in the plan's order. */
  readonly readSorts: readonly SortKey<QueryField<Name>>[];
  /**
   * The token of a row's place in the list.
   * @param row the row, or its sort keys by field name
   */
  readonly cursorOf: (row: object) => string;
}

export type Paging<Name extends string = string> = OffsetPaging | CursorPaging<Name>;

/** A checked list query: what an executor runs. */
export interface ListPlan<Name extends string = string> {
  readonly form: 'list';
  readonly filter?: FilterNode<QueryField<Name>>;
  /** In order of priority, the tie-breaker last. */
  readonly sorts: readonly SortKey<QueryField<Name>>[];
  readonly paging: Paging<Name>;
  /** The only fields that rows may hold; absent where there is no such limit. */
  readonly returnable?: readonly Name[];
}

/** A column of an aggregate's answer. It is named by the caller, so an adapter writes `column` into a statement. */
export interface OutputField extends QueryField {
  /** The caller's alias, the key in the answer. Checked: letters, digits and `_`, 63 at most. */
  readonly name: string;
  readonly kind: FieldKind;
  /** `g0`, `g1`, ... for groups, `c0`, ... for computed values: safe in any statement. */
  readonly column: string;
}

export interface GroupKey<Name extends string = string> {
  readonly output: OutputField;
  readonly field: QueryField<Name>;
}

export type ComputedValue<Name extends string = string> = RowCount<Name> | Measure<Name>;

/** `$count`: rows, or those that its own filter matches. */
export interface RowCount<Name extends string = string> {
  readonly output: OutputField;
  readonly function: Exclude<AggregateFunction, MeasureFunction>;
  readonly filter?: FilterNode<QueryField<Name>>;
}

export interface Measure<Name extends string = string> {
  readonly output: OutputField;
  readonly function: MeasureFunction;
  readonly field: QueryField<Name>;
  /** Applies to this value alone. */
  readonly filter?: FilterNode<QueryField<Name>>;
}

/** A checked aggregate query. Without groups it answers with one row. */
export interface AggregatePlan<Name extends string = string> {
  readonly form: 'aggregate';
  readonly filter?: FilterNode<QueryField<Name>>;
  readonly groups: readonly GroupKey<Name>[];
  readonly computed: readonly ComputedValue<Name>[];
  readonly having?: FilterNode<OutputField>;
  /** The caller's sorts, then the groups that they leave out, ascending. */
  readonly sorts: readonly SortKey<OutputField>[];
  readonly paging: OffsetPaging;
}

/**
 * What a handler gets from `@ListQueryBody(Model)`.
 * An interface, so that the emitted type is `Object` and the application's own `ValidationPipe` leaves it alone.
 */
export interface ListQuery<T> extends ListPlan<FieldName<T>> {
  readonly form: 'list';
}

/** What a handler gets from `@AggregateQueryBody(Model)`. */
export interface AggregateQuery<T> extends AggregatePlan<FieldName<T>> {
  readonly form: 'aggregate';
}

/** Null sorts smallest unless it is said otherwise. */
export function sortKey<Field extends QueryField>(
  field: Field,
  direction: SortDirection,
  nulls: NullsPosition = direction === 'asc' ? 'first' : 'last',
): SortKey<Field> {
  return Object.freeze({ field, direction, nulls });
}

/** The same key, read from the other end. */
export function reverseSortKey<Field extends QueryField>({ field, direction, nulls }: SortKey<Field>): SortKey<Field> {
  return sortKey(field, direction === 'asc' ? 'desc' : 'asc', nulls === 'first' ? 'last' : 'first');
}
