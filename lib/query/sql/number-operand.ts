import {
  compareDecimals,
  decimalOfBigint,
  decimalOfNumber,
  formatDecimal,
  parseDecimal,
  type Decimal,
} from '../kinds/decimal.js';
import type { Operand } from '../kinds/index.js';
import { rawSql, sql, type SqlText } from './sql-text.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';

export type OrderSymbol = '<' | '<=' | '>' | '>=';

/**
 * A number as a bound of a column. Columns do not hold every number: `floor` is the largest at or below it that can be
 * written for the column, and `isExact` whether that is the number itself. Infinite where there is none.
 */
export interface NumberBound {
  readonly floor: SqlText | 'below' | 'above';
  readonly isExact: boolean;
}

/** @returns the bound of a number in a column of a storage */
export function numberBound(operand: Operand, { storage }: SqlColumn, dialect: SqlDialect): NumberBound {
  const value = decimalOf(operand);
  if (dialect === 'sqlite') return storage === 'real' ? doubleBound(value, dialect) : sqliteBound(value);
  if (storage === 'real') return doubleBound(value, dialect);
  if (storage === 'numeric') return numericBound(value, dialect);
  return integerBound(value, dialect);
}

function decimalOf(operand: Operand): Decimal {
  if (typeof operand === 'bigint') return decimalOfBigint(operand);
  if (typeof operand === 'number') return decimalOfNumber(operand);
  const decimal = typeof operand === 'string' ? parseDecimal(operand) : undefined;
  if (decimal === undefined) throw new TypeError('A plan compares a number with something else.');
  return decimal;
}

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

function integerBound(value: Decimal, dialect: SqlDialect): NumberBound {
  const floor = floorOf(value);
  // MySQL's integers may be unsigned.
  const largest = dialect === 'mysql' ? 2n ** 64n - 1n : LARGEST;
  if (floor < SMALLEST) return { floor: 'below', isExact: false };
  if (floor > largest) return { floor: 'above', isExact: false };
  return { floor: integerSql(floor, dialect), isExact: value.scale === 0 };
}

function integerSql(value: bigint, dialect: SqlDialect): SqlText {
  const text = String(value);
  if (dialect === 'postgres') return sql`CAST(${text} AS bigint)`;
  return dialect === 'sqlite' ? sql`CAST(${text} AS INTEGER)` : sql`CAST(${text} AS DECIMAL(65, 0))`;
}

/** SQLite's numeric columns hold 64-bit integers and doubles, and it compares the two exactly. */
function sqliteBound(value: Decimal): NumberBound {
  const floor = floorOf(value);
  const isWhole = value.scale === 0 || floor >= 2n ** 53n || floor < -(2n ** 53n);
  if (isWhole && floor >= SMALLEST && floor <= LARGEST) return integerBound(value, 'sqlite');
  return doubleBound(value, 'sqlite');
}

/** A double stands for the shortest decimal that reads back as it, which is how it is printed. */
function doubleBound(value: Decimal, dialect: SqlDialect): NumberBound {
  const nearest = Number(formatDecimal(value));
  if (nearest === Infinity) return { floor: 'above', isExact: false };
  if (nearest === -Infinity) return { floor: 'below', isExact: false };
  const order = compareDecimals(decimalOfNumber(nearest), value);
  const floor = order > 0 ? nextBelow(nearest) : nearest;
  if (floor === -Infinity) return { floor: 'below', isExact: false };
  return { floor: doubleSql(floor, dialect), isExact: order === 0 };
}

function doubleSql(value: number, dialect: SqlDialect): SqlText {
  const text = String(value);
  if (dialect === 'postgres') return sql`CAST(${text} AS double precision)`;
  return dialect === 'sqlite' ? sql`CAST(${text} AS REAL)` : sql`CAST(${text} AS DOUBLE)`;
}

/** Digits of a MySQL decimal, and those of them that its columns may have after the point. */
const MYSQL_DIGITS = 65;
const MYSQL_SCALE = 30;

function numericBound(value: Decimal, dialect: SqlDialect): NumberBound {
  if (dialect !== 'mysql') return { floor: sql`CAST(${formatDecimal(value)} AS numeric)`, isExact: true };
  const whole = String(floorOf(value)).replace('-', '').length;
  const scale = Math.min(value.scale, MYSQL_SCALE, MYSQL_DIGITS - whole);
  if (scale < 0) return { floor: value.units < 0n ? 'below' : 'above', isExact: false };
  const units = floorOf({ units: value.units * 10n ** BigInt(scale), scale: value.scale });
  const type = rawSql(`DECIMAL(${MYSQL_DIGITS}, ${scale})`);
  return { floor: sql`CAST(${formatDecimal({ units, scale })} AS ${type})`, isExact: scale === value.scale };
}

function floorOf({ units, scale }: Decimal): bigint {
  const divisor = 10n ** BigInt(scale);
  const quotient = units / divisor;
  return units < 0n && quotient * divisor !== units ? quotient - 1n : quotient;
}

/** The largest double below a finite one. */
function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}
