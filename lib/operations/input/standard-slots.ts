import type { JsonSchema } from '../../common/index.js';
import type { ParameterMetadata } from '../../internal/nest.js';
import {
  classOfParameter,
  isPipeOfApplication,
  readStandardSchema,
  standardSchemaOf,
  standardSchemaOfClass,
  standardSchemaOfPipe,
  type SchemaContext,
  type StandardReading,
  type StandardSchema,
} from '../schema/index.js';
import type { InputSlot, SlotSource } from './input-slot.js';

export interface StandardParameter {
  readonly source: SlotSource;
  readonly parameter: ParameterMetadata;
  /** The pipes that run before those of the parameter. */
  readonly pipes: readonly unknown[];
  /** Whether a schema that a pipe of the method was made with is meant for this parameter. */
  readonly isMain: boolean;
  /** `NotesController.create, parameter 0`. */
  readonly at: string;
  readonly context: SchemaContext;
}

/**
 * The values of a parameter that a Standard Schema describes: one by one where it is an object of named properties, else as
 * a whole. Undefined where there is no such schema, or another description that tells more.
 */
export function standardSlots(options: StandardParameter): InputSlot[] | InputSlot | undefined {
  const { parameter, source, context, at } = options;
  const schema = schemaFor(options);
  if (schema === undefined) return undefined;
  const isSilent = schema['~standard'].jsonSchema === undefined;
  if (isSilent && classOfParameter(parameter.designType).type !== undefined) return undefined;
  const name = classNameOf(parameter.designType);
  if (!isChecked(options)) context.report(at, 'has a schema that none of its pipes checks: nothing is validated');
  const reading = readStandardSchema(schema, {
    context,
    name: name ?? `${source.charAt(0).toUpperCase()}${source.slice(1)}`,
    placeOf: (path) =>
      name === undefined ? [at, path].filter(Boolean).join(': ') : [name, path].filter(Boolean).join('.'),
  });
  if (parameter.key !== undefined) return [keyedSlot(source, parameter.key, reading)];
  return propertySlots(source, reading) ?? wholeSlot(source, reading);
}

/** The nearest first: of the parameter, of its pipes, of its class, of the pipes around it. */
function schemaFor({ parameter, pipes, isMain }: StandardParameter): StandardSchema | undefined {
  return (
    standardSchemaOf(parameter.schema) ??
    first(parameter.pipes.map(standardSchemaOfPipe)) ??
    standardSchemaOfClass(parameter.designType) ??
    (isMain ? first(pipes.map(standardSchemaOfPipe).reverse()) : undefined)
  );
}

/** Which pipe reads a schema, its class does not tell: one of the application's may, and so may those that Nest 12 has for it. */
function isChecked({ parameter, pipes }: StandardParameter): boolean {
  return [...pipes, ...parameter.pipes].some(isPipeOfApplication);
}

function keyedSlot(source: SlotSource, name: string, reading: StandardReading): InputSlot {
  const isOpen = Object.keys(reading.schema).length === 0;
  return {
    source,
    name,
    schema: reading.schema,
    required: source === 'path' || !reading.mayBeAbsent,
    checked: reading.isExact ? reading.schema : {},
    isText: isTextual(source, isOpen || reading.converted.size > 0),
  };
}

/** Undefined where the schema is not simply an object of named properties. */
function propertySlots(source: SlotSource, { schema, isExact, converted }: StandardReading): InputSlot[] | undefined {
  const { type, properties, required, additionalProperties, ...others } = schema;
  const isSimple = Object.keys(others).every((keyword) => ANNOTATIONS.has(keyword));
  const isClosed = additionalProperties === undefined || additionalProperties === false;
  if (type !== 'object' || properties === undefined || !isSimple || !isClosed || converted.has('')) return undefined;
  return Object.entries(properties).map(([name, property]) => ({
    source,
    name,
    schema: property,
    required: source === 'path' || (required?.includes(name) ?? false),
    checked: isExact ? property : {},
    isText: isTextual(source, converted.has(name)),
  }));
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default']);

function wholeSlot(source: SlotSource, reading: StandardReading): InputSlot {
  const schema: JsonSchema = source === 'body' ? reading.schema : { type: 'object', ...reading.schema };
  return {
    source,
    name: source,
    schema,
    required: !reading.mayBeAbsent,
    checked: reading.isExact ? schema : {},
    isText: isTextual(source, reading.converted.size > 0),
  };
}

/** A path is text; a query is where the application expects text to make something of. */
function isTextual(source: SlotSource, isMadeFromText: boolean): boolean {
  return source === 'path' || (source === 'query' && isMadeFromText);
}

function classNameOf(designType: unknown): string | undefined {
  return typeof designType === 'function' && standardSchemaOfClass(designType) !== undefined
    ? designType.name
    : undefined;
}

function first<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
