import { isNumericEnum, type QueryField } from './field-kind.js';
import {
  compareDecimals,
  decimalOfBigint,
  decimalOfNumber,
  formatDecimal,
  parseDecimal,
  type Decimal,
} from './decimal.js';
import type { Operand } from './operand.js';
import { formatDatetime, midnightOf, parseDate, parseDatetime } from './temporal.js';

/** A value in the form in which its kind compares. A `datetime` is milliseconds since the epoch. */
export type Comparable = string | number | bigint | boolean | Decimal;

/** Reads a value of a row; null where it is null, absent, or not of the field's kind without loss. */
export type RowReader = (value: unknown) => Comparable | null;

export type Comparator = (a: Comparable, b: Comparable) => number;

const EXPONENT_FREE = /^-?\d+(\.\d+)?$/;
const INTEGER = /^-?\d+$/;

/**
 * Rows are as dirty as they come: a number among titles reads as its text, a numeral among numbers as the number. What
 * cannot be read without loss compares as null does; the row itself is never changed.
 */
export function rowReader(field: QueryField): RowReader {
  return isNumericEnum(field) ? readNumber : READERS[field.kind];
}

/** The operand of a plan in the form that `rowReader` yields. */
export function comparableOperand(field: QueryField, operand: Operand): Comparable {
  return rowReader(field)(operand) ?? operand;
}

/** Orders two values that `rowReader` yielded; text by code point. */
export function comparatorOf(field: QueryField): Comparator {
  if (field.kind === 'decimal') return (a, b) => compareDecimals(a as Decimal, b as Decimal);
  if (isTextual(field)) return (a, b) => compareText(a as string, b as string);
  return (a, b) => (a < b ? -1 : a > b ? 1 : 0);
}

/** A primitive that is the same for equal values and for no others. */
export function identityOf(field: QueryField): (value: Comparable) => string | number | bigint | boolean {
  if (field.kind === 'decimal') return (value) => formatDecimal(value as Decimal);
  return (value) => value as Exclude<Comparable, Decimal>;
}

/** The JSON value that an aggregate answers with: `bigint` and `decimal` as strings, times as ISO strings. */
export function jsonValueOf(field: QueryField, value: Comparable): string | number | boolean {
  if (field.kind === 'decimal') return formatDecimal(value as Decimal);
  if (field.kind === 'bigint') return String(value);
  if (field.kind === 'datetime') return formatDatetime(value as number);
  return value as string | number | boolean;
}

export function isTextual(field: QueryField): boolean {
  return ['string', 'uuid', 'date'].includes(field.kind) || (field.kind === 'enum' && !isNumericEnum(field));
}

/** Compares by code point, as a binary collation does; `<` alone compares UTF-16 units and disagrees past U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

const READERS: Readonly<Record<QueryField['kind'], RowReader>> = {
  string: readText,
  uuid: (value) => (typeof value === 'string' ? value.toLowerCase() : readText(value)),
  enum: readText,
  int: readInteger,
  bigint: readBigint,
  number: readNumber,
  decimal: readDecimal,
  boolean: readBoolean,
  date: readDate,
  datetime: readDatetime,
};

function readText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? String(value) : null;
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return isValidDate(value) ? value.toISOString() : null;
  }
}

function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return BigInt(Number(value)) === value ? Number(value) : null;
  if (typeof value !== 'string' || !EXPONENT_FREE.test(value)) return null;
  const number = Number(value);
  const exact = Number.isFinite(number) ? formatDecimal(decimalOfNumber(number)) : undefined;
  const written = parseDecimal(value);
  return written && formatDecimal(written) === exact ? number : null;
}

function readInteger(value: unknown): number | null {
  const number = readNumber(value);
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

function readBigint(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && INTEGER.test(value) ? BigInt(value) : null;
}

function readDecimal(value: unknown): Decimal | null {
  if (typeof value === 'string') return parseDecimal(value) ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? decimalOfNumber(value) : null;
  if (typeof value === 'bigint') return decimalOfBigint(value);
  return null;
}

function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : null;
}

function readDate(value: unknown): string | null {
  if (typeof value === 'string') return parseDate(value) ?? dateOfMidnight(parseDatetime(value, 'UTC'));
  return isValidDate(value) ? dateOfMidnight(value.getTime()) : null;
}

function readDatetime(value: unknown): number | null {
  if (isValidDate(value)) return value.getTime();
  if (typeof value !== 'string') return null;
  const date = parseDate(value);
  return date === undefined ? (parseDatetime(value, 'UTC') ?? null) : midnightOf(date, 'UTC');
}

/** A moment is a date without loss only at midnight, UTC. */
function dateOfMidnight(epochMs: number | undefined): string | null {
  if (epochMs === undefined) return null;
  const [date, time] = formatDatetime(epochMs).split('T');
  return time === '00:00:00.000Z' ? (parseDate(date ?? '') ?? null) : null;
}

function isValidDate(value: unknown): value is Date {
  return value instanceof Date && Number.isFinite(value.getTime());
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
