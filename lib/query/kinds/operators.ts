import type { FieldKind } from './field-kind.js';

export type ComparisonOperator = '$eq' | '$neq' | '$gt' | '$gte' | '$lt' | '$lte';
export type ListOperator = '$in' | '$nin';
export type PatternOperator = '$like' | '$ilike' | '$regex';
export type FilterOperator = ComparisonOperator | ListOperator | PatternOperator | '$null';

/** Aggregate functions over a field. `$count` counts rows and needs none. */
export type MeasureFunction = '$count_distinct' | '$sum' | '$avg' | '$min' | '$max';
export type AggregateFunction = '$count' | MeasureFunction;

const EQUALITY = Object.freeze(['$eq', '$in', '$neq', '$nin', '$null'] as const);
const PATTERN = ['$ilike', '$like', '$regex'] as const;
const ORDER = ['$gt', '$gte', '$lt', '$lte'] as const;

/** Every operator, alphabetical. */
export const FILTER_OPERATORS: readonly FilterOperator[] = Object.freeze([...EQUALITY, ...PATTERN, ...ORDER].sort());

/** Every function over a field, alphabetical. */
export const MEASURE_FUNCTIONS: readonly MeasureFunction[] = Object.freeze([
  '$avg',
  '$count_distinct',
  '$max',
  '$min',
  '$sum',
]);

export const AGGREGATE_FUNCTIONS: readonly AggregateFunction[] = Object.freeze(
  ['$count', ...MEASURE_FUNCTIONS].sort() as AggregateFunction[],
);

const NUMERIC: readonly FieldKind[] = ['int', 'bigint', 'number', 'decimal'];
const TEMPORAL: readonly FieldKind[] = ['date', 'datetime'];

export function isNumeric(kind: FieldKind): boolean {
  return NUMERIC.includes(kind);
}

export function isTemporal(kind: FieldKind): boolean {
  return TEMPORAL.includes(kind);
}

/** The operators that a kind has, alphabetical. */
export function operatorsOf(kind: FieldKind): readonly FilterOperator[] {
  if (kind === 'string') return TEXT_OPERATORS;
  return isNumeric(kind) || isTemporal(kind) ? ORDERED_OPERATORS : EQUALITY;
}

/** The functions that can be computed over fields of a kind, alphabetical. */
export function functionsOf(kind: FieldKind): readonly MeasureFunction[] {
  if (isNumeric(kind)) return MEASURE_FUNCTIONS;
  return isTemporal(kind) || kind === 'string' ? ORDERED_FUNCTIONS : ANY_FUNCTIONS;
}

const TEXT_OPERATORS: readonly FilterOperator[] = Object.freeze([...EQUALITY, ...PATTERN].sort());
const ORDERED_OPERATORS: readonly FilterOperator[] = Object.freeze([...EQUALITY, ...ORDER].sort());
const ORDERED_FUNCTIONS: readonly MeasureFunction[] = Object.freeze(['$count_distinct', '$max', '$min']);
const ANY_FUNCTIONS: readonly MeasureFunction[] = Object.freeze(['$count_distinct']);

export function isPatternOperator(operator: FilterOperator): operator is PatternOperator {
  return isOneOf(PATTERN, operator);
}

function isOneOf(list: readonly string[], value: string): boolean {
  return list.includes(value);
}
