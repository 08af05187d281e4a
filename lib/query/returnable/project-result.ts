import { StreamableFile } from '@nestjs/common';
import { isPlainObject, setOwn } from '../../common/index.js';
import { projectRow } from './project-row.js';

const ROW_LISTS = ['hits', 'rows'] as const;

/**
 * What a handler answered, with no other fields in its rows than those named: the rows of a list, of `hits` or `rows`,
 * or the one row that the answer is. The answer itself is not changed.
 * @param names the fields of rows; `hits` and `rows` hold no rows where they are among them
 * @param project what is left of one row; default: the named fields
 * @returns undefined in place of bytes and streams, in which no field can be told from another
 */
export function projectResult(
  result: unknown,
  names: readonly string[],
  project: (row: unknown) => unknown = (row) => projectRow(row, names),
): { readonly value: unknown } | undefined {
  if (isOpaque(result)) return undefined;
  if (Array.isArray(result)) return { value: result.map((row: unknown) => project(row)) };
  const lists = rowListsOf(result, names);
  if (lists.length === 0) return { value: project(result) };
  const envelope = copyOf(result as object);
  for (const [key, rows] of lists) {
    setOwn(
      envelope,
      key,
      rows.map((row) => project(row)),
    );
  }
  return { value: envelope };
}

function rowListsOf(result: unknown, names: readonly string[]): readonly (readonly [string, readonly unknown[]])[] {
  if (typeof result !== 'object' || result === null) return [];
  return ROW_LISTS.flatMap((key) => {
    const rows: unknown = Object.hasOwn(result, key) && !names.includes(key) ? Reflect.get(result, key) : undefined;
    return Array.isArray(rows) ? [[key, rows] as const] : [];
  });
}

/** Keeps the class: a serializer further out goes by it. */
function copyOf(envelope: object): object {
  if (isPlainObject(envelope)) return { ...envelope };
  return Object.assign(Object.create(Object.getPrototypeOf(envelope) as object) as object, envelope);
}

function isOpaque(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  return (
    result instanceof StreamableFile || ArrayBuffer.isView(result) || typeof Reflect.get(result, 'pipe') === 'function'
  );
}
