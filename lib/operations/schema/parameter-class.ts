import type { Type } from '@nestjs/common';
import { declaredKinds, describeDesignType } from './declared-type.js';
import { hasValidators } from './property-metadata.js';

/** What the emitted type of a parameter says of it. */
export type ParameterClass =
  /** A class that class-validator knows. */
  | { readonly kind: 'validated'; readonly type: Type<unknown> }
  /** A class without a validator: a pipe lets everything through. */
  | { readonly kind: 'undecorated'; readonly type: Type<unknown> }
  /** `String`, `Number`, `Boolean`, `Date`, `Array`, `Map`, `Set`. */
  | { readonly kind: 'builtIn'; readonly type?: undefined }
  /** `Object`, `Function` or nothing: an interface, `any`, a union, or a class behind `import type`. Nothing is validated. */
  | { readonly kind: 'erased'; readonly type?: undefined };

/** Tells whether a parameter's type is a class that can be read, or was erased by the compiler. */
export function classOfParameter(designType: unknown): ParameterClass {
  const described = describeDesignType(designType);
  if (described?.is === 'class') {
    return { kind: hasValidators(described.type) ? 'validated' : 'undecorated', type: described.type };
  }
  return { kind: declaredKinds(designType) === undefined ? 'erased' : 'builtIn' };
}
