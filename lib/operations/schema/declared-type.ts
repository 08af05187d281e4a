import type { Type } from '@nestjs/common';
import type { JsonKind } from './constraint.js';
import type { PropertyMetadata } from './property-metadata.js';

/** What `@Type()` names. */
export type NamedType =
  | { readonly is: 'class'; readonly type: Type<unknown> }
  | { readonly is: 'scalar'; readonly kind: JsonKind }
  | { readonly is: 'date' }
  /** It depends on the value, or names nothing that is known here. */
  | { readonly is: 'unknown' };

const SCALARS: ReadonlyMap<unknown, JsonKind> = new Map<unknown, JsonKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

const NO_CLASSES: ReadonlySet<unknown> = new Set([
  ...[Object, Function, Array, Map, Set, WeakMap, WeakSet, Promise, Symbol, BigInt, RegExp, Error],
  ...[Buffer, ArrayBuffer, Uint8Array],
]);

/** The type that `@Type()` of a property names; undefined where it has none. */
export function namedType(property: PropertyMetadata): NamedType | undefined {
  const typeFunction = property.typeEntry?.typeFunction;
  if (typeFunction === undefined) return undefined;
  let isDynamic = false;
  const help = new Proxy({}, { get: () => void (isDynamic = true) });
  try {
    const type = typeFunction(help);
    return isDynamic ? { is: 'unknown' } : describeType(type);
  } catch {
    return { is: 'unknown' };
  }
}

/** An emitted type, as `@Type()` would name it; undefined where it says nothing. */
export function describeDesignType(designType: unknown): NamedType | undefined {
  const described = describeType(designType);
  return described.is === 'unknown' ? undefined : described;
}

/**
 * The JSON kinds of values that TypeScript says a property has; undefined where the emitted type does not tell. A class does
 * not: an `ObjectId` or a `Decimal` is a string in JSON.
 */
export function declaredKinds(designType: unknown): readonly JsonKind[] | undefined {
  if (designType === Array || designType === Set) return ['array'];
  if (designType === Map) return ['object'];
  const described = describeType(designType);
  if (described.is === 'scalar') return [described.kind];
  return described.is === 'date' ? ['string'] : undefined;
}

function describeType(type: unknown): NamedType {
  const kind = SCALARS.get(type);
  if (kind !== undefined) return { is: 'scalar', kind };
  if (type === Date) return { is: 'date' };
  if (typeof type !== 'function' || NO_CLASSES.has(type) || type.prototype === undefined) return { is: 'unknown' };
  return { is: 'class', type: type as Type<unknown> };
}
