import type { Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, type JsonValue } from '../../common/index.js';

/** The value that a property has without being set. */
export interface InitialValue {
  /** As JSON; undefined where JSON cannot carry it, or where two instances differ in it. */
  readonly json: JsonValue | undefined;
}

/**
 * What the initializers of a class give to an instance: class-transformer makes one for every value that it converts, and
 * validators see what it holds. A class that cannot be constructed without arguments has none.
 */
export function defaultsOf(type: Type<unknown>): ReadonlyMap<string, InitialValue> {
  const [one, other] = [instanceOf(type), instanceOf(type)];
  const entries = Object.entries(one)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const isSteady = isDeepStrictEqual(value, (other as Record<string, unknown>)[name]);
      return [name, { json: isSteady && isJson(value) ? value : undefined }] as const;
    });
  return new Map(entries);
}

function instanceOf(type: Type<unknown>): object {
  try {
    return new type() as object;
  } catch {
    return {};
  }
}

function isJson(value: unknown): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isPlainObject(value) && Object.values(value).every(isJson);
}
