export { FIELD_KINDS, type EnumValue, type FieldKind, type QueryField } from './field-kind.js';
export {
  AGGREGATE_FUNCTIONS,
  FILTER_OPERATORS,
  MEASURE_FUNCTIONS,
  functionsOf,
  isNumeric,
  isPatternOperator,
  isTemporal,
  operatorsOf,
  type AggregateFunction,
  type ComparisonOperator,
  type FilterOperator,
  type ListOperator,
  type MeasureFunction,
  type PatternOperator,
} from './operators.js';
export {
  BIGINT_PATTERN,
  DECIMAL_PATTERN,
  UUID_PATTERN,
  expectedOperands,
  isStorableText,
  parseOperand,
  type Operand,
} from './operand.js';
export { DecimalSum, decimalOfBigint, divideToNumber, formatDecimal, type Decimal } from './decimal.js';
export {
  comparableOperand,
  comparatorOf,
  identityOf,
  jsonValueOf,
  rowReader,
  type Comparable,
  type Comparator,
  type RowReader,
} from './row-value.js';
export { DATETIME_PATTERN, DATE_PATTERN, parseZone, type ZoneOffset } from './temporal.js';
