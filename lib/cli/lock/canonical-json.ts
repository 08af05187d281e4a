import { createHash } from 'node:crypto';

/**
 * A JSON value with the keys of every object sorted, and so are lists under the key `required`: JSON Schema has a set there.
 * Values that JSON has no form for are left out, as `JSON.stringify` does.
 */
export function canonical(value: unknown): unknown {
  return sorted(JSON.parse(JSON.stringify(value)) as unknown);
}

/** `sha256:` and the hexadecimal digest of the canonical form. */
export function canonicalHash(value: unknown): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex')}`;
}

/** A record by name, in the order of names; `__proto__` is a name like any other. */
export function sortedRecord<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([first], [second]) => (first < second ? -1 : 1)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return sortedRecord(
    Object.entries(value).map(([key, inner]) => [key, key === 'required' ? sortedSet(inner) : sorted(inner)] as const),
  );
}

function sortedSet(value: unknown): unknown {
  const isSet = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isSet ? [...(value as string[])].sort() : sorted(value);
}
