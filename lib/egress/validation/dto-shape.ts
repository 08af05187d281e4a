import { instanceToPlain, plainToInstance } from 'class-transformer';
import { validate, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { DtoClass } from '../declaration/egress-shape.js';
import { refusedShape, type ShapeFault, type ShapeResult } from './shape-fault.js';
import { transformedKeepingKeys } from './transform-keys.js';

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
  return transformedKeepingKeys(instance, (copy) => instanceToPlain(copy)).result;
}

/** An instance of the DTO, its nested ones included, of a value that is known to fit. */
export function dtoFromWire(dto: DtoClass, value: unknown): unknown {
  return toInstance(dto, value).result;
}

async function validateDto(dto: DtoClass, value: unknown, options: ValidatorOptions): Promise<ShapeResult> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refusedAs('isObject');
  const transformed = attempted(() => toInstance(dto, value));
  if (transformed === undefined) return refusedAs('transform');
  const { result, lost } = transformed;
  const errors = await validate(result, { ...options, forbidUnknownValues: true, stopAtFirstError: false });
  const unknown = options.forbidNonWhitelisted ? lost.map(unknownProperty) : [];
  const faults = [...errors.flatMap((error) => faultsOf(error, '')), ...unknown];
  return faults.length > 0 ? refusedShape(faults) : { value: result };
}

function toInstance(dto: DtoClass, value: unknown): ReturnType<typeof transformedKeepingKeys<object>> {
  // An exposed name that is absent must not overwrite the property that came under its own name, or a default.
  return transformedKeepingKeys(value, (copy) => plainToInstance(dto, copy, { exposeUnsetFields: false }));
}

/** A custom transformation that throws refuses its value, whatever it has to say about it. */
function attempted<Result>(transform: () => Result): Result | undefined {
  try {
    return transform();
  } catch {
    return undefined;
  }
}

function refusedAs(constraint: string): ShapeResult {
  return refusedShape([{ property: '', constraints: [constraint] }]);
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
