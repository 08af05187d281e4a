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
  if (document === undefined) {
    const why = `is validated by a schema of ${vendor}, which tells no JSON Schema of it: left open`;
    options.context.report(options.placeOf(''), why);
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

function documentOf(schema: StandardSchema, isZod: boolean): Record<string, unknown> | undefined {
  const { jsonSchema } = schema['~standard'];
  try {
    const target = { target: 'draft-2020-12', ...(isZod && { libraryOptions: ZOD_OPTIONS }) };
    const document = jsonSchema?.input(target);
    return isPlainObject(document) ? document : undefined;
  } catch {
    // The library says so where it cannot tell a schema.
    return undefined;
  }
}
