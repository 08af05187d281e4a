import { isPlainObject } from '../../common/index.js';
import type { QueryIssueCode } from '../query-error.js';
import { pointerTo, type ParseContext } from './parse-context.js';

/** The own entries of a JSON object that has no keys but the known ones; undefined where it is something else. */
export function readClosedObject<Key extends string>(
  value: unknown,
  keys: readonly Key[],
  code: QueryIssueCode,
  pointer: string,
  context: ParseContext,
): Partial<Record<Key, unknown>> | undefined {
  if (!isPlainObject(value)) return context.refuse(code, pointer, { allowed: ['an object', ...keys] });
  const known = Object.create(null) as Partial<Record<Key, unknown>>;
  for (const key of Object.keys(value)) {
    const expected = keys.find((each) => each === key);
    if (expected === undefined) context.refuse(code, pointerTo(pointer, key), { allowed: keys });
    else known[expected] = value[key];
  }
  return known;
}

/** The own entries of a JSON object with names as keys; undefined where it is something else. */
export function readNamedEntries(
  value: unknown,
  code: QueryIssueCode,
  pointer: string,
  context: ParseContext,
): readonly [string, unknown][] | undefined {
  if (!isPlainObject(value)) return context.refuse(code, pointer, { allowed: ['an object'] });
  return Object.keys(value).map((key) => [key, value[key]]);
}
