import { instanceToPlain, plainToInstance } from 'class-transformer';
import { validate, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { DtoClass } from '../declaration/egress-shape.js';
import { copyContainers, restoreKeys } from './restore-keys.js';
import { refusedShape, type ShapeFault, type ShapeResult } from './shape-fault.js';

/** What leaves is what was declared: a property that the DTO does not have is a fault. */
export function validateDtoArguments(dto: DtoClass, value: unknown): Promise<ShapeResult> {
  return validateDto(dto, value, { whitelist: true, forbidNonWhitelisted: true });
}

/** Upstreams add properties as they please: those that the DTO does not have are kept and mean nothing. */
export function validateDtoReply(dto: DtoClass, value: unknown): Promise<ShapeResult> {
  return validateDto(dto, value, {});
}

/** The JSON value that a DTO stands for on the wire; `@Expose`, `@Exclude` and `@Transform` apply. */
export function dtoToWire(instance: unknown): unknown {
  const wire: unknown = instanceToPlain(instance);
  restoreKeys(instance, wire);
  return wire;
}

/** An instance of the DTO, its nested ones included, of a value that is known to fit. */
export function dtoFromWire(dto: DtoClass, value: unknown): unknown {
  return toInstance(dto, value).instance;
}

async function validateDto(dto: DtoClass, value: unknown, options: ValidatorOptions): Promise<ShapeResult> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refusedShape([{ property: '', constraints: ['isObject'] }]);
  }
  const { instance, lost } = toInstance(dto, value);
  const errors = await validate(instance, { ...options, forbidUnknownValues: true, stopAtFirstError: false });
  const unknown = options.forbidNonWhitelisted ? lost.map(unknownProperty) : [];
  const faults = [...errors.flatMap((error) => faultsOf(error, '')), ...unknown];
  return faults.length > 0 ? refusedShape(faults) : { value: instance };
}

function toInstance(dto: DtoClass, value: unknown): { instance: object; lost: string[] } {
  const copy = copyContainers(value);
  const instance = plainToInstance(dto, copy);
  return { instance, lost: restoreKeys(value, instance) };
}

function unknownProperty(property: string): ShapeFault {
  return { property, constraints: ['whitelistValidation'] };
}

function faultsOf(error: ValidationError, parent: string): ShapeFault[] {
  const property = parent === '' ? error.property : `${parent}.${error.property}`;
  const constraints = Object.keys(error.constraints ?? {});
  const own = constraints.length > 0 ? [{ property, constraints }] : [];
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, property))];
}
