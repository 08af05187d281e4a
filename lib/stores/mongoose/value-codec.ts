import type { Operand } from '../../query/index.js';
import type { MongooseInstance } from './mongoose-model.js';
import { parseScientific, roundDown } from './scientific.js';

/** How values are kept: the BSON types that a path of the schema holds. */
export type StorageFamily = 'text' | 'number' | 'long' | 'decimal' | 'boolean' | 'moment' | 'objectId' | 'uuid';

/** Writes operands as the values that are stored. */
export interface ValueCodec {
  /** The stored value that equals an operand; undefined where no stored value can. */
  readonly exact: (operand: Operand) => unknown;
  /**
   * The greatest value that can be stored and is less than an operand which cannot; undefined where there is none. Absent
   * where values do not lie between others.
   */
  readonly below?: (operand: Operand) => unknown;
}

const OBJECT_ID = /^[0-9a-f]{24}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const DECIMAL_DIGITS = 34;

export function codecOf(family: StorageFamily, types: MongooseInstance['Types']): ValueCodec {
  return CODECS[family](types);
}

const itself: ValueCodec = Object.freeze({ exact: (operand: Operand) => operand });

const CODECS: Readonly<Record<StorageFamily, (types: MongooseInstance['Types']) => ValueCodec>> = {
  text: () => itself,
  number: () => itself,
  boolean: () => itself,
  long: () => ({
    exact: (operand) => (isLong(BigInt(operand)) ? BigInt(operand) : undefined),
    below: (operand) => (BigInt(operand) > MAX_LONG ? MAX_LONG : undefined),
  }),
  decimal: ({ Decimal128 }) => ({
    exact: (operand) => {
      const number = parseScientific(String(operand));
      const isExact = number !== undefined && roundDown(number, DECIMAL_DIGITS).units === number.units;
      return isExact ? Decimal128.fromString(`${number.units}E${number.exponent}`) : undefined;
    },
    below: (operand) => {
      const number = parseScientific(String(operand));
      const rounded = number && roundDown(number, DECIMAL_DIGITS);
      return rounded && Decimal128.fromString(`${rounded.units}E${rounded.exponent}`);
    },
  }),
  moment: () => ({
    exact: (operand) => (hasMicroseconds(operand) ? undefined : new Date(String(operand))),
    // `Date` reads as many digits as it has: to milliseconds, down.
    below: (operand) => new Date(`${String(operand).slice(0, ISO_MS_LENGTH)}Z`),
  }),
  objectId: ({ ObjectId }) => ({
    exact: (operand) => (OBJECT_ID.test(String(operand)) ? new ObjectId(String(operand)) : undefined),
  }),
  uuid: ({ UUID: Uuid }) => ({
    exact: (operand) => (UUID.test(String(operand)) ? new Uuid(String(operand)) : undefined),
  }),
};

const ISO_MS_LENGTH = '2024-01-01T00:00:00.000'.length;

/** Canonical times have microseconds only where they are not zero. */
function hasMicroseconds(operand: Operand): boolean {
  return String(operand).length > ISO_MS_LENGTH + 1;
}

function isLong(value: bigint): boolean {
  return value >= MIN_LONG && value <= MAX_LONG;
}
