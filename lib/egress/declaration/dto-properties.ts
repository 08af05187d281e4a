import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
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
 * The class that a property's object, or its list's objects, become; undefined for anything else. It is found by letting
 * class-transformer do it, since its metadata is not public.
 */
export function nestedDto(dto: DtoClass, property: string): DtoClass | undefined {
  for (const probe of [{}, [{}]]) {
    const nested = constructorOf(transformed(dto, property, probe));
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function transformed(dto: DtoClass, property: string, probe: object): unknown {
  try {
    const instance: unknown = plainToInstance(dto, { [property]: probe });
    const value: unknown = Reflect.get(instance as object, property);
    return Array.isArray(value) ? value[0] : value;
  } catch {
    // A custom transformation did not expect the probe; then it makes its own values, not instances of a DTO.
    return undefined;
  }
}

function constructorOf(value: unknown): DtoClass | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { constructor } = value;
  return constructor === Object || constructor === Array ? undefined : (constructor as DtoClass);
}
