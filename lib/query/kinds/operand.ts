import type { EnumValue, QueryField } from './field-kind.js';
import { formatDecimal, parseDecimal } from './decimal.js';
import { formatDatetime, parseDate, parseDatetime, type ZoneOffset } from './temporal.js';

/**
 * A value that a caller compares a field with, in its canonical form: `bigint` is a BigInt, `decimal` a string without
 * trailing zeros, `date` is `YYYY-MM-DD`, `datetime` an ISO string in UTC, `uuid` lower-case.
 */
export type Operand = string | number | bigint | boolean;

export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
export const BIGINT_PATTERN = '^-?\\d{1,40}$';
export const DECIMAL_PATTERN = '^-?\\d{1,40}(\\.\\d{1,40})?$';

const UUID = new RegExp(UUID_PATTERN);
const BIGINT = new RegExp(BIGINT_PATTERN);
const DECIMAL = new RegExp(DECIMAL_PATTERN);
const LONE_SURROGATE = /\p{Surrogate}/u;

type OperandParser = (value: unknown, field: QueryField, zone: ZoneOffset) => Operand | undefined;

const PARSERS: Readonly<Record<QueryField['kind'], OperandParser>> = {
  string: (value) => (isStorableText(value) ? value : undefined),
  uuid: (value) => (matches(UUID, value) ? value.toLowerCase() : undefined),
  enum: (value, field) => field.enumValues.find((known) => known === value),
  int: (value) => (Number.isSafeInteger(value) ? withoutNegativeZero(value as number) : undefined),
  bigint: (value) => (matches(BIGINT, value) ? BigInt(value) : undefined),
  number: (value) => (Number.isFinite(value) ? withoutNegativeZero(value as number) : undefined),
  decimal: (value) => (matches(DECIMAL, value) ? canonicalDecimal(value) : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => (typeof value === 'string' ? parseDate(value) : undefined),
  datetime: (value, _field, zone) => (typeof value === 'string' ? canonicalDatetime(value, zone) : undefined),
};

/** What an operand of a field is, in canonical form; undefined where the JSON value is none. Nothing is converted. */
export function parseOperand(value: unknown, field: QueryField, zone: ZoneOffset): Operand | undefined {
  return PARSERS[field.kind](value, field, zone);
}

const EXPECTED: Readonly<Record<Exclude<QueryField['kind'], 'enum' | 'boolean'>, string>> = {
  string: 'a string',
  uuid: 'a UUID',
  int: 'an integer between -9007199254740991 and 9007199254740991',
  bigint: 'an integer as a string',
  number: 'a number',
  decimal: 'a decimal number as a string',
  date: 'a date as YYYY-MM-DD',
  datetime: 'a date and time as YYYY-MM-DDThh:mm:ssZ',
};

/** What to say to a caller whose operand does not fit: the values themselves where they can be listed. */
export function expectedOperands(field: QueryField): readonly (EnumValue | boolean)[] {
  if (field.kind === 'enum') return field.enumValues;
  if (field.kind === 'boolean') return [true, false];
  return [EXPECTED[field.kind]];
}

/** Text that every store can hold and compare: well-formed Unicode without NUL. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && !LONE_SURROGATE.test(value);
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function canonicalDecimal(text: string): string | undefined {
  const decimal = parseDecimal(text);
  return decimal && formatDecimal(decimal);
}

function canonicalDatetime(text: string, zone: ZoneOffset): string | undefined {
  const epochMs = parseDatetime(text, zone);
  return epochMs === undefined ? undefined : formatDatetime(epochMs);
}

function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}
