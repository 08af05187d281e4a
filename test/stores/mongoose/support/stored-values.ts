import mongoose from 'mongoose';

const { Binary, Decimal128, Long, ObjectId, UUID } = mongoose.mongo.BSON;

/**
 * Exact numbers as MongoDB compares them: 64-bit integers and decimals among one another. mingo knows neither; it compares
 * what is of a class by its text, which therefore sorts as the number does.
 */
export class ExactNumber {
  readonly #units: bigint;
  readonly #stored: object | undefined;
  /** What mingo tells values apart by; it cannot read a BigInt. */
  readonly key: string;

  /** @param units of 10^-40, more than any row has */
  constructor(
    units: bigint,
    readonly isLong: boolean,
    stored?: object,
  ) {
    this.#stored = stored;
    this.#units = units;
    this.key = String(units + ZERO).padStart(WIDTH, '0');
  }

  get units(): bigint {
    return this.#units;
  }

  toString(): string {
    return this.key;
  }

  toBson(): object {
    if (this.#stored !== undefined) return this.#stored;
    return this.isLong ? Long.fromBigInt(this.#units / UNIT) : Decimal128.fromString(decimalText(this.#units));
  }

  toNumber(): number {
    return Number(`${this.units}e-${SCALE}`);
  }

  toDecimal(): ExactNumber {
    return new ExactNumber(this.units, false);
  }
}

const SCALE = 40;
const UNIT = 10n ** BigInt(SCALE);
const WIDTH = 124;
const ZERO = 10n ** 122n;

/** A value of 12 or 16 bytes, which sorts by them. */
class Bytes {
  constructor(
    readonly hex: string,
    readonly isUuid: boolean,
  ) {}

  toString(): string {
    return this.hex;
  }
}

/** What mingo runs over for a BSON value. Text is its UTF-8 bytes, so that it compares as in MongoDB: by code point. */
export function toMingo(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('latin1');
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(toMingo);
  if (value instanceof Long) return new ExactNumber(value.toBigInt() * UNIT, true, value);
  if (value instanceof Decimal128) return new ExactNumber(unitsOf(value.toString()), false, value);
  if (value instanceof ObjectId) return new Bytes(value.toHexString(), false);
  if (value instanceof Binary) return new Bytes(value.toUUID().toHexString(), true);
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, operandOf(key, element)]));
}

/** The BSON value of what mingo yields. */
export function fromMingo(value: unknown): unknown {
  if (typeof value === 'string') return utf8(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(fromMingo);
  if (value instanceof ExactNumber) return value.toBson();
  if (value instanceof Bytes) return value.isUuid ? new UUID(value.hex) : new ObjectId(value.hex);
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, fromMingo(element)]));
}

export function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** MongoDB's expressions are UTF-8 without being asked; JavaScript's must be. */
function operandOf(key: string, value: unknown): unknown {
  return (key === '$regex' || key === 'regex') && typeof value === 'string' ? new RegExp(value, 'u') : toMingo(value);
}

function unitsOf(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(text) ?? [];
  const places = SCALE + Number(exponent) - fraction.length;
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(places);
}

function decimalText(units: bigint): string {
  const zeros = /0*$/.exec(String(units))?.[0].length ?? 0;
  return units === 0n ? '0' : `${units / 10n ** BigInt(zeros)}E${zeros - SCALE}`;
}
