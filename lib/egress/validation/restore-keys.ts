import { isPlainObject, setOwn } from '../../common/index.js';

/**
 * class-transformer copies plain objects and leaves out `constructor`, `__proto__` and the names of Object's own methods.
 * In JSON those are ordinary keys (a tool may have an argument `constructor`), so they are put back into plain objects.
 *
 * @returns the paths of keys that a class instance cannot hold.
 */
export function restoreKeys(original: unknown, copy: unknown, path = ''): string[] {
  if (Array.isArray(original) && Array.isArray(copy)) {
    return original.flatMap((item, index) => restoreKeys(item, copy[index], `${path}${index}.`));
  }
  if (!isObject(original) || !isObject(copy) || original === copy) return [];
  return Object.keys(original).flatMap((key) => restoreKey(original, copy, key, path));
}

function restoreKey(original: object, copy: object, key: string, path: string): string[] {
  const value: unknown = Reflect.get(original, key, original);
  if (Object.hasOwn(copy, key)) return restoreKeys(value, Reflect.get(copy, key), `${path}${key}.`);
  if (!isDropped(key)) return [];
  if (!isPlainObject(copy)) return [`${path}${key}`];
  setOwn(copy, key, value);
  return [];
}

function isDropped(key: string): boolean {
  return key === '__proto__' || typeof Reflect.get(Object.prototype, key) === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy of the lists and plain objects in a value, so that nothing done to it reaches its owner. The rest is shared. */
export function copyContainers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyContainers);
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) setOwn(copy, key, copyContainers(inner));
  return copy;
}
