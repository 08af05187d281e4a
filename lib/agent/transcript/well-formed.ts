import { isPlainObject } from '../../common/index.js';

/** Whether no text in a JSON value, key or value, has half of a surrogate pair: a text that was cut within an emoji has. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return !isPlainObject(value) || Object.entries(value).flat().every(isWellFormed);
}

/** The value itself where it is well-formed, else a copy in which U+FFFD stands for each half. */
export function wellFormed<Value>(value: Value): Value {
  return isWellFormed(value) ? value : (mended(value) as Value);
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), mended(each)]));
}
