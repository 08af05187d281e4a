import { getMetadataStorage } from 'class-validator';
import { transformerStorage } from '../../internal/class-transformer.js';
import { isStandardSchema } from './standard-schema.js';
import type { DtoClass, EgressShape } from './egress-shape.js';

/** True for a class, and false for a Standard Schema that happens to be a function. */
export function isDtoClass(shape: EgressShape | undefined): shape is DtoClass {
  return typeof shape === 'function' && !isStandardSchema(shape);
}

/** The properties that class-validator knows of a DTO, inherited ones included. */
export function dtoProperties(dto: DtoClass): string[] {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  return [...new Set(metadata.map((entry) => entry.propertyName).filter((name) => typeof name === 'string'))];
}

/**
 * The classes that a property's object, or its list's objects, may be: as TypeScript declares it, as `@Type` says, and the
 * subtypes of a discriminator.
 */
export function nestedDtos(dto: DtoClass, property: string): DtoClass[] {
  const entry = transformerStorage.findTypeMetadata(dto, property);
  const subTypes = entry?.options?.discriminator?.subTypes ?? [];
  const types: unknown[] = [
    Reflect.getMetadata('design:type', dto.prototype as object, property),
    entry?.typeFunction?.({ newObject: {}, object: {}, property }),
    ...subTypes.map(({ value }) => value),
  ];
  return types.filter((type): type is DtoClass => typeof type === 'function');
}
