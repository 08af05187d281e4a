import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../common/index.js';
import type { NestedSchemas } from './nested-item.js';
import { propertyMetadataOf } from './property-metadata.js';
import { propertySchema } from './property-schema.js';

/** One property of a class, as a read model has it. */
export interface ClassProperty {
  readonly name: string;
  /** The key that sets it in JSON, which `@Expose({ name })` changes; undefined where no key does. */
  readonly inputName: string | undefined;
  /** The emitted TypeScript type; undefined where none was emitted. */
  readonly designType: unknown;
  /**
   * Of the values that the property holds, as JSON: `{ type: 'string', format: 'uuid' }`. Dates have the format of
   * their fullest form, `date-time`; a nested class is `{ type: 'object' }`.
   */
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Whether `@Transform()` stands on it, in either direction. */
  readonly isTransformed: boolean;
  /** Whether `@Exclude()` keeps it out of what the application answers. */
  readonly excluded: boolean;
}

/** The properties of a class that a decorator tells, ancestors' first, in the order of declaration. */
export function readClassProperties(type: Type<unknown>): readonly ClassProperty[] {
  return propertyMetadataOf(type).map((property) => {
    const { value, required, nullable } = propertySchema(property, OPAQUE);
    return Object.freeze({
      name: property.name,
      inputName: property.inputName,
      designType: property.designType,
      schema: withFullDates(value),
      required,
      nullable,
      isTransformed: property.isTransformed,
      excluded: property.isExcludedFromOutput,
    });
  });
}

const OPAQUE: NestedSchemas = {
  ofClass: () => ({ type: 'object' }),
  ofSubType: () => ({ type: 'object' }),
};

/** A union of dates without and with a time, and perhaps null, as one. */
function withFullDates(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const formats = anyOf?.map((each) => each.format).filter((format) => format !== undefined) ?? [];
  if (formats.length !== 2 || !formats.includes('date') || !formats.includes('date-time')) return schema;
  const full = anyOf?.find((each) => each.format === 'date-time') ?? {};
  const isNullable = anyOf?.some((each) => each.type === 'null') ?? false;
  return { ...rest, ...full, type: isNullable ? ['string', 'null'] : 'string' };
}
