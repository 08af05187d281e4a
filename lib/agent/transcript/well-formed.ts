import { isPlainObject } from '../../common/index.js';

/** Frozen values that were found well-formed: entries of journals, which are shown again with each step. */
const KNOWN = new WeakSet<object>();

/** Whether no text in a JSON value, key or value, has half of a surrogate pair: a text that was cut within an emoji has. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null || KNOWN.has(value)) return true;
  const isFit = Array.isArray(value) ? value.every(isWellFormed) : hasWellFormedEntries(value);
  if (isFit && Object.isFrozen(value)) KNOWN.add(value);
  return isFit;
}

/** The value itself where it is well-formed, else a copy in which U+FFFD stands for each half. */
export function wellFormed<Value>(value: Value): Value {
  return isWellFormed(value) ? value : (mended(value) as Value);
}

function hasWellFormedEntries(value: object): boolean {
  if (!isPlainObject(value)) return true;
  for (const key of Object.keys(value)) if (!key.isWellFormed() || !isWellFormed(value[key])) return false;
  return true;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), mended(each)]));
}
