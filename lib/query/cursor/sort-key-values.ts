import type { SortKey } from '../ast.js';
import { isStorableText, jsonValueOf, rowReader, type Operand, type QueryField } from '../kinds/index.js';

/** The value of a sort key, as a filter would have it; null where the row has none. */
export type KeyValue = Operand | null;

/** A row's place in a list: its sort keys, as JSON values. */
export function keysOf(row: object, sorts: readonly SortKey[]): readonly unknown[] {
  return sorts.map(({ field }) => {
    const value = rowReader(field)(Reflect.get(row, field.name));
    return value === null ? null : jsonValueOf(field, value);
  });
}

/**
 * The sort keys of `keysOf`, read back; undefined where the JSON text holds anything else. Text is such as every store
 * can compare with.
 */
export function parseKeys(text: string, sorts: readonly SortKey[]): readonly KeyValue[] | undefined {
  const keys = parseJson(text);
  if (!Array.isArray(keys) || keys.length !== sorts.length) return undefined;
  const values = sorts.map(({ field }, index) => parseKey(keys[index], field));
  return values.every((value) => value !== undefined) ? values : undefined;
}

function parseKey(key: unknown, field: QueryField): KeyValue | undefined {
  if (key === null) return null;
  const value = rowReader(field)(key);
  const isCanonical = value !== null && jsonValueOf(field, value) === key;
  if (!isCanonical || (typeof key === 'string' && !isStorableText(key))) return undefined;
  return typeof value === 'bigint' ? value : (key as Operand);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
