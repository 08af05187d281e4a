import { setOwn } from '../../common/index.js';

/**
 * A row with the named fields only. It keeps its class, by which a serializer further out masks and renames; accessors
 * of the class that are not named are hidden. A row that says itself how it looks as JSON is taken at its word.
 */
export function projectRow(row: unknown, names: readonly string[]): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const toJson: unknown = Reflect.get(row, 'toJSON');
  if (typeof toJson === 'function') return projectObject(toJson.call(row) as unknown, names);
  return projectObject(row, names);
}

function projectObject(row: unknown, names: readonly string[]): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const prototype = Object.getPrototypeOf(row) as object | null;
  const accessors = accessorsOf(prototype);
  const projected = Object.create(prototype) as object;
  for (const name of names) {
    if (Object.hasOwn(row, name) || accessors.includes(name)) setOwn(projected, name, Reflect.get(row, name));
  }
  for (const accessor of accessors) {
    if (!names.includes(accessor)) Object.defineProperty(projected, accessor, { value: undefined });
  }
  return projected;
}

const ACCESSORS = new WeakMap<object, readonly string[]>();

/** Names of the getters that a class has, inherited ones included. */
export function accessorsOf(prototype: object | null): readonly string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  const known = ACCESSORS.get(prototype);
  if (known !== undefined) return known;
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  const own = descriptors.filter(([, descriptor]) => descriptor.get !== undefined).map(([name]) => name);
  const all = [...own, ...accessorsOf(Object.getPrototypeOf(prototype) as object | null)];
  ACCESSORS.set(prototype, all);
  return all;
}
