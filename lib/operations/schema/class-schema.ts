import type { Type } from '@nestjs/common';
import { setOwn, type JsonSchema } from '../../common/index.js';
import { isFilledBy } from '../../internal/class-transformer.js';
import { defaultsOf } from './class-defaults.js';
import type { NestedSchemas, SubType } from './nested-item.js';
import { hasValidators, propertyMetadataOf, type PropertyMetadata } from './property-metadata.js';
import { propertySchema } from './property-schema.js';
import type { SchemaContext } from './schema-context.js';

/**
 * What the application takes in for an instance of a class: a closed object schema, nested classes as `$ref`s into the
 * context. It never refuses what class-validator accepts of a declared property; what it leaves open, it reports.
 */
export function schemaOfClass(type: Type<unknown>, context: SchemaContext): JsonSchema {
  if (!isFilledBy()) {
    context.report(
      'class-transformer',
      'is loaded twice (by a bundler?): @Type, @Transform, @Expose and @Exclude are not seen',
    );
  }
  return objectSchema(type, context);
}

/** A `$ref` to the schema of a class. */
export function referenceToClass(type: Type<unknown>, context: SchemaContext): JsonSchema {
  return context.define(type, type.name, () => objectSchema(type, context));
}

function objectSchema(type: Type<unknown>, context: SchemaContext, discriminator?: Discriminator): JsonSchema {
  const properties = propertyMetadataOf(type, context.validation);
  if (properties.length === 0 && discriminator === undefined) {
    context.report(type.name, 'has no decorators of class-validator or class-transformer: left open');
    return { type: 'object' };
  }
  if (!hasValidators(type)) {
    context.report(type.name, 'has no validators: nothing is checked, the schema tells the declared types');
  }
  const schema: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };
  if (discriminator) addProperty(schema, discriminator.property, { type: 'string', const: discriminator.name }, true);
  const defaults = defaultsOf(type);
  const settable = properties.filter((property) => property.inputName !== discriminator?.property);
  for (const property of settable) addDescribed(schema, property, defaults, context);
  return schema;
}

interface Discriminator {
  readonly property: string;
  readonly name: string;
}

function addDescribed(
  schema: JsonSchema,
  property: PropertyMetadata,
  defaults: ReturnType<typeof defaultsOf>,
  context: SchemaContext,
): void {
  if (property.inputName === undefined) return;
  const read = propertySchema(property, nestedSchemas(context), context.validation);
  for (const gap of read.gaps) context.report(`${property.owner.name}.${property.name}`, gap);
  // An exposed property that is absent is set to undefined: its initializer is lost.
  const initial = property.isExposedToInput ? undefined : defaults.get(property.name);
  const hasDefault = initial?.json !== undefined && Object.keys(read.input).length > 0;
  const input = hasDefault ? { ...read.input, default: initial.json } : read.input;
  const isFilled = initial !== undefined && (initial.json !== null || read.nullable);
  addProperty(schema, property.inputName, input, read.required && !isFilled);
}

function addProperty(schema: JsonSchema, name: string, property: JsonSchema, isRequired: boolean): void {
  setOwn(schema.properties ?? {}, name, property);
  if (isRequired) schema.required = [...(schema.required ?? []), name];
}

function nestedSchemas(context: SchemaContext): NestedSchemas {
  return {
    ofClass: (type) => referenceToClass(type, context),
    ofSubType: (subType, property) => referenceToSubType(subType, property, context),
  };
}

/** class-transformer tells sub-types apart by a property that need not be one of the class. */
function referenceToSubType(subType: SubType, property: string, context: SchemaContext): JsonSchema {
  const { value: type, name } = subType;
  return context.define(subType, type.name, () => objectSchema(type, context, { property, name }));
}
