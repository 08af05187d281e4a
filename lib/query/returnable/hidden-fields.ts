import type { Type } from '@nestjs/common';
import { setOwn } from '../../common/index.js';
import { transformerStorage } from '../../internal/class-transformer.js';
import { readClassProperties } from '../../operations/schema/index.js';
import { accessorsOf } from './project-row.js';

/** Whether a field of rows is hidden. */
export type IsHidden = (name: string) => boolean;

const HIDDEN = new WeakMap<Type, IsHidden | undefined>();

/**
 * What `@Exclude()` hides of a read model: the fields that it stands on; all that are not exposed where it stands on the
 * class. Undefined where it hides nothing. It holds for rows that are no instances, too, and without any serializer: no
 * schema or sentence tells of these fields.
 */
export function hiddenFieldsOf(readModel: Type): IsHidden | undefined {
  if (HIDDEN.has(readModel)) return HIDDEN.get(readModel);
  const isHidden = readHiddenFields(readModel);
  HIDDEN.set(readModel, isHidden);
  return isHidden;
}

function readHiddenFields(readModel: Type): IsHidden | undefined {
  const properties = readClassProperties(readModel);
  const named = (isExcluded: boolean) =>
    new Set(properties.filter(({ excluded }) => excluded === isExcluded).map(({ name }) => name));
  const [hidden, exposed] = [named(true), named(false)];
  if (transformerStorage.getStrategy(readModel) === 'excludeAll') return (name) => !exposed.has(name);
  return hidden.size === 0 ? undefined : (name) => hidden.has(name);
}

/** A row without what is hidden of it, of the same class; the row itself where there is nothing to hide. */
export function withoutHidden(row: unknown, isHidden: IsHidden): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const toJson: unknown = Reflect.get(row, 'toJSON');
  if (typeof toJson !== 'function') return withoutFields(row, isHidden);
  const json: unknown = toJson.call(row);
  if (typeof json !== 'object' || json === null) return row;
  const shown = withoutFields(json, isHidden);
  return shown === json ? row : shown;
}

function withoutFields(row: object, isHidden: IsHidden): object {
  const accessors = accessorsOf(Object.getPrototypeOf(row) as object | null);
  const names = Object.keys(row);
  if (![...names, ...accessors].some(isHidden)) return row;
  const shown = Object.create(Object.getPrototypeOf(row) as object | null) as object;
  for (const name of names) if (!isHidden(name)) setOwn(shown, name, Reflect.get(row, name));
  for (const name of accessors) {
    // What else the class tells of a row may be made of what is hidden, and of private fields that no copy has.
    const get = () => (isHidden(name) ? undefined : (Reflect.get(row, name) as unknown));
    if (!Object.hasOwn(shown, name)) Object.defineProperty(shown, name, { get, configurable: true });
  }
  return shown;
}
