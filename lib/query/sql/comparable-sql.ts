import { isNumericEnum, type QueryField } from '../kinds/field-kind.js';
import type { Operand } from '../kinds/index.js';
import { epochOperand, momentForms, momentSql, orderedMoment } from './moment-sql.js';
import { numberBound, type NumberBound, type OrderSymbol } from './number-operand.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';
import { joinSql, rawSql, sql, type SqlText } from './sql-text.js';
import { exactText, loweredText, orderedText, textOperand } from './text-sql.js';

/** A condition on a value that is not null: SQL, or `all` of them, or `none`. */
export type Condition = SqlText | 'all' | 'none';

/** How values of one field, kept in one column, are compared in a dialect. */
export interface Comparable {
  /** The value as it sorts, groups and is counted: equal values are equal here, in the order of the kind. */
  readonly ordered: SqlText;
  /** True for a value that is one of the operands; where it is negated, for one that is none of them. */
  isIn(operands: readonly Operand[], isNegated: boolean): Condition;
  compare(symbol: OrderSymbol, operand: Operand): Condition;
}

export function comparableOf(field: QueryField, column: SqlColumn, dialect: SqlDialect): Comparable {
  if (isNumericEnum(field)) return numberComparable(column, dialect);
  switch (field.kind) {
    case 'int':
    case 'bigint':
    case 'number':
    case 'decimal':
      return numberComparable(column, dialect);
    case 'uuid':
      return column.storage === 'uuid' ? nativeUuid(column, dialect) : textUuid(column, dialect);
    case 'boolean':
      return plain(column, (operand) => booleanOperand(operand, dialect));
    case 'date':
      return dateComparable(column, dialect);
    case 'datetime':
      return momentComparable(column, dialect);
    default:
      return textComparable(column, dialect);
  }
}

/** A field whose operands have one form each, in a column that compares as its kind does. */
function plain(column: SqlColumn, operandSql: (operand: Operand) => SqlText, value = rawSql(column.sql)): Comparable {
  return {
    ordered: value,
    isIn: (operands, isNegated) => isOneOf(value, operands.map(operandSql), isNegated),
    compare: (symbol, operand) => sql`${value} ${rawSql(symbol)} ${operandSql(operand)}`,
  };
}

function isOneOf(value: SqlText, operands: readonly SqlText[], isNegated: boolean): Condition {
  const [first, ...rest] = operands;
  if (first === undefined) return isNegated ? 'all' : 'none';
  if (rest.length === 0) return sql`${value} ${rawSql(isNegated ? '<>' : '=')} ${first}`;
  return sql`${value} ${rawSql(isNegated ? 'NOT IN' : 'IN')} (${joinSql(operands, ', ')})`;
}

function textComparable(column: SqlColumn, dialect: SqlDialect): Comparable {
  const exact = exactText(column, dialect);
  const ordered = orderedText(column, dialect);
  return {
    ordered,
    isIn: (operands, isNegated) => withIndex(column, dialect, operands.map(String), exact, isNegated),
    compare: (symbol, operand) => sql`${ordered} ${rawSql(symbol)} ${textOperand(String(operand), dialect)}`,
  };
}

/** MySQL's indexes are in the column's collation, which finds what is equal in bytes, and more: both are asked. */
function withIndex(
  column: SqlColumn,
  dialect: SqlDialect,
  operands: readonly string[],
  exact: SqlText,
  isNegated: boolean,
): Condition {
  const inBytes = isOneOf(
    exact,
    operands.map((operand) => textOperand(operand, dialect)),
    isNegated,
  );
  if (dialect !== 'mysql' || isNegated || typeof inBytes === 'string') return inBytes;
  const folded = isOneOf(
    rawSql(column.sql),
    operands.map((operand) => sql`${operand}`),
    false,
  );
  return typeof folded === 'string' ? inBytes : sql`(${folded} AND ${inBytes})`;
}

/** A UUID kept as text may be in either case; an index serves both. */
function textUuid(column: SqlColumn, dialect: SqlDialect): Comparable {
  const exact = exactText(column, dialect);
  const ordered = loweredText(column, dialect);
  const formsOf = (operand: Operand) => [String(operand), String(operand).toUpperCase()];
  return {
    ordered,
    isIn: (operands, isNegated) => withIndex(column, dialect, operands.flatMap(formsOf), exact, isNegated),
    compare: (symbol, operand) => sql`${ordered} ${rawSql(symbol)} ${textOperand(String(operand), dialect)}`,
  };
}

/** MariaDB sorts its UUIDs by the time in some of them: their text sorts as it reads. */
function nativeUuid(column: SqlColumn, dialect: SqlDialect): Comparable {
  if (dialect !== 'mysql') return plain(column, (operand) => sql`CAST(${String(operand)} AS uuid)`);
  const ordered = sql`CAST(CAST(${rawSql(column.sql)} AS CHAR(36)) AS BINARY)`;
  return {
    ordered,
    isIn: (operands, isNegated) =>
      isOneOf(
        rawSql(column.sql),
        operands.map((operand) => sql`${String(operand)}`),
        isNegated,
      ),
    compare: (symbol, operand) => sql`${ordered} ${rawSql(symbol)} ${textOperand(String(operand), dialect)}`,
  };
}

function booleanOperand(operand: Operand, dialect: SqlDialect): SqlText {
  if (dialect === 'postgres') return sql`CAST(${operand === true} AS boolean)`;
  return rawSql(operand === true ? '1' : '0');
}

function dateComparable(column: SqlColumn, dialect: SqlDialect): Comparable {
  if (dialect === 'sqlite') return plain(column, (operand) => sql`${String(operand)}`, orderedText(column, dialect));
  return plain(column, (operand) => sql`CAST(${String(operand)} AS DATE)`);
}

function momentComparable(column: SqlColumn, dialect: SqlDialect): Comparable {
  const { storage } = column;
  if (storage === 'epochMs' || storage === 'epochSeconds') {
    return numberComparable({ ...column, storage: 'integer' }, dialect, (operand) => epochOperand(operand, storage));
  }
  if (dialect !== 'sqlite') return plain(column, (operand) => momentSql(operand, column, dialect));
  const text = rawSql(column.sql);
  return {
    ordered: orderedMoment(column, dialect),
    isIn: (operands, isNegated) =>
      isOneOf(
        text,
        operands.flatMap((operand) => momentForms(operand).map((form) => sql`${form}`)),
        isNegated,
      ),
    compare: (symbol, operand) => {
      const forms = momentForms(operand);
      const isFirst = symbol === '<' || symbol === '>=';
      return sql`${text} ${rawSql(symbol)} ${(isFirst ? forms[0] : forms[forms.length - 1]) as string}`;
    },
  };
}

function numberComparable(
  column: SqlColumn,
  dialect: SqlDialect,
  valueOf: (operand: Operand) => Operand = (operand) => operand,
): Comparable {
  const value = rawSql(column.sql);
  const boundOf = (operand: Operand) => numberBound(valueOf(operand), column, dialect);
  return {
    ordered: value,
    isIn: (operands, isNegated) =>
      isOneOf(
        value,
        operands.flatMap((operand) => exactly(boundOf(operand))),
        isNegated,
      ),
    compare: (symbol, operand) => compareNumber(value, symbol, boundOf(operand)),
  };
}

/** A number that the column cannot hold is equal to none of its values. */
function exactly({ floor, isExact }: NumberBound): readonly SqlText[] {
  return isExact && typeof floor === 'object' ? [floor] : [];
}

function compareNumber(value: SqlText, symbol: OrderSymbol, { floor, isExact }: NumberBound): Condition {
  const isGreater = symbol.startsWith('>');
  if (floor === 'below') return isGreater ? 'all' : 'none';
  if (floor === 'above') return isGreater ? 'none' : 'all';
  return sql`${value} ${rawSql(isExact ? symbol : isGreater ? '>' : '<=')} ${floor}`;
}
