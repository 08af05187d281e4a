import { parseScientific, plainText } from './scientific.js';

/** A BSON type of any version of the driver. */
interface BsonValue {
  readonly _bsontype: string;
  toString(): string;
  toHexString?(): string;
  toUUID?(): { toString(): string };
  readonly sub_type?: number;
}

const UUID_SUBTYPE = 4;

/**
 * A document without BSON types: decimals and integers past 2^53 are strings, as they travel; ids and UUIDs too.
 * Dates stay dates.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (isBson(value)) return plainBson(value);
  // An own key `__proto__` stays one.
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, plainValue(element)]));
}

function isBson(value: object): value is BsonValue {
  return typeof Reflect.get(value, '_bsontype') === 'string';
}

function plainBson(value: BsonValue): unknown {
  switch (value._bsontype) {
    case 'Decimal128': {
      const number = parseScientific(value.toString());
      return number === undefined ? null : plainText(number);
    }
    case 'Long':
      return value.toString();
    case 'ObjectId':
      return value.toHexString?.() ?? value.toString();
    case 'Binary':
      return value.sub_type === UUID_SUBTYPE ? (value.toUUID?.().toString() ?? value) : value;
    default:
      return value;
  }
}
