import type { Type } from '@nestjs/common';
import { declaredKinds, describeDesignType } from './declared-type.js';
import { hasValidators, propertyMetadataOf } from './property-metadata.js';

/** What the emitted type of a parameter says of it. `type` is there where its properties can be read. */
export type ParameterClass =
  /** A class whose properties decorators tell; unless `isValidated`, class-validator knows none of them. */
  | { readonly kind: 'dto'; readonly type: Type<unknown>; readonly isValidated: boolean }
  /** A class without decorators: a pipe lets everything through. */
  | { readonly kind: 'undecorated'; readonly className: string; readonly type?: undefined }
  /** `String`, `Number`, `Boolean`, `Date`, `Array`, `Map`, `Set`. */
  | { readonly kind: 'builtIn'; readonly type?: undefined }
  /** `Object`, `Function` or nothing: an interface, `any`, a union, or a class behind `import type`. Nothing is validated. */
  | { readonly kind: 'erased'; readonly type?: undefined };

/** Tells whether a parameter's type is a class that can be read, or was erased by the compiler. */
export function classOfParameter(designType: unknown): ParameterClass {
  const described = describeDesignType(designType);
  if (described?.is !== 'class') {
    return { kind: declaredKinds(designType) === undefined ? 'erased' : 'builtIn' };
  }
  const { type } = described;
  if (propertyMetadataOf(type).length === 0) return { kind: 'undecorated', className: type.name };
  return { kind: 'dto', type, isValidated: hasValidators(type) };
}
