import type { Capabilities } from '../executor.js';
import { FILTER_OPERATORS, MEASURE_FUNCTIONS, type FieldKind, type MeasureFunction } from '../kinds/index.js';
import type { SqlDialect } from './sql-column.js';

/** `$regex` is left out: the engines of these stores backtrack, or read another syntax. */
const OPERATORS = Object.freeze(FILTER_OPERATORS.filter((operator) => operator !== '$regex'));

/** SQLite adds decimals up as doubles, and averages what leaves 53 bits as one. */
const SQLITE_FUNCTIONS: Readonly<Partial<Record<FieldKind, readonly MeasureFunction[]>>> = Object.freeze({
  decimal: Object.freeze(['$count_distinct', '$max', '$min'] as const),
  bigint: Object.freeze(['$count_distinct', '$max', '$min', '$sum'] as const),
});

const CAPABILITIES: Capabilities = Object.freeze({ operators: OPERATORS, functions: MEASURE_FUNCTIONS });

/** What the SQL of a dialect runs exactly as the in-memory executor does. */
export function sqlCapabilities(dialect: SqlDialect): Capabilities {
  return dialect === 'sqlite' ? Object.freeze({ ...CAPABILITIES, functionsByKind: SQLITE_FUNCTIONS }) : CAPABILITIES;
}
