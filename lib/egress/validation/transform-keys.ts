import { isPlainObject, setOwn } from '../../common/index.js';

/**
 * Lets class-transformer work on a value that may have keys it cannot take. It drops `constructor`, `__proto__` and the names
 * of Object's own methods, and takes what `constructor` holds for a class. In JSON those are ordinary keys (a tool may have
 * an argument `constructor`), so they are kept from it and put back into the plain objects of the result.
 */
export function transformedKeepingKeys<Result>(
  value: unknown,
  transform: (copy: unknown) => Result,
): { readonly result: Result; /** Paths of keys that an instance of a class cannot hold. */ readonly lost: string[] } {
  const result = transform(copyWithoutKeys(value));
  return { result, lost: restoreKeys(value, result, '') };
}

/** A copy of all containers, so that nothing done to it reaches the owner of the value; dates, bytes and the like are shared. */
function copyWithoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutKeys);
  if (!isCopyable(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const key of Object.keys(value)) {
    if (!isTroublesome(key)) setOwn(copy, key, copyWithoutKeys(Reflect.get(value, key)));
  }
  return copy;
}

function isCopyable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return (
    Object.prototype.toString.call(value) === '[object Object]' && typeof Reflect.get(value, 'toJSON') !== 'function'
  );
}

function restoreKeys(original: unknown, copy: unknown, path: string): string[] {
  if (Array.isArray(original) && Array.isArray(copy)) {
    return original.flatMap((item, index) => restoreKeys(item, copy[index], `${path}${index}.`));
  }
  if (!isCopyable(original) || !isCopyable(copy) || original === copy) return [];
  return Object.keys(original).flatMap((key) => restoreKey(original, copy, key, path));
}

function restoreKey(original: object, copy: object, key: string, path: string): string[] {
  const value: unknown = Reflect.get(original, key);
  if (Object.hasOwn(copy, key)) return restoreKeys(value, Reflect.get(copy, key), `${path}${key}.`);
  if (!isTroublesome(key)) return [];
  if (!isPlainObject(copy)) return [`${path}${key}`];
  setOwn(copy, key, value);
  return [];
}

function isTroublesome(key: string): boolean {
  return key === '__proto__' || typeof Reflect.get(Object.prototype, key) === 'function';
}
