import { isPlainObject, type JsonSchema } from '../../../common/index.js';
import { SchemaImport, type SchemaImportOptions } from './schema-import.js';
import type { StandardSchema } from './standard-schema.js';
import { mayAcceptUndefined, ZOD_OPTIONS } from './zod-marks.js';

export interface StandardReading {
  /** Empty where the library tells nothing. */
  readonly schema: JsonSchema;
  /** Whether the schema refuses nothing that the library takes: then arguments can be held to it before a request is made. */
  readonly isExact: boolean;
  readonly mayBeAbsent: boolean;
  /** Names of properties of the whole that the application makes from text; `''` where that is the whole. */
  readonly converted: ReadonlySet<string>;
}

/** Reads what a Standard Schema takes in, where its library tells that as JSON Schema. */
export function readStandardSchema(schema: StandardSchema, options: SchemaImportOptions): StandardReading {
  const { vendor } = schema['~standard'];
  const isZod = vendor === 'zod';
  const document = documentOf(schema, isZod);
  if (typeof document === 'string') {
    options.context.report(options.placeOf(''), `is validated by a schema of ${vendor}, which ${document}: left open`);
    return { schema: {}, isExact: true, mayBeAbsent: true, converted: new Set() };
  }
  const reading = new SchemaImport(document, options);
  return {
    schema: reading.read(),
    isExact: isZod,
    mayBeAbsent: !isZod || mayAcceptUndefined(schema),
    converted: reading.convertedProperties,
  };
}

/** The library's JSON Schema; in words where it tells none. */
function documentOf(schema: StandardSchema, isZod: boolean): Record<string, unknown> | string {
  const { jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) return 'tells no JSON Schema of it';
  try {
    const document = jsonSchema.input({ target: 'draft-2020-12', ...(isZod && { libraryOptions: ZOD_OPTIONS }) });
    return isPlainObject(document) ? document : 'tells no JSON Schema of it';
  } catch (error) {
    return `cannot tell a JSON Schema of it (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
}
