import 'reflect-metadata';
import { setOwn, type JsonSchema } from '../../common/index.js';
import { SWAGGER_KEYS } from './swagger-keys.js';

/**
 * A class that stands for a schema: a document shows it under its name, with every keyword as it is here.
 * @param models that are shown along with it
 */
export function schemaModel(name: string, schema: JsonSchema, models: readonly unknown[] = []): object {
  class SchemaModel {}
  // A class is shown as an object with properties unless it says otherwise.
  const said = { type: undefined, properties: undefined, ...schema, name };
  Reflect.defineMetadata(SWAGGER_KEYS.schema, [said], SchemaModel);
  Reflect.defineMetadata(SWAGGER_KEYS.extraModels, models, SchemaModel);
  return SchemaModel;
}

/** The schema with its references pointing to where a document has its definitions. */
export function toComponentReferences(schema: JsonSchema, prefix: string): JsonSchema {
  return mapped(schema, prefix) as JsonSchema;
}

const DEFINITION = /^#\/\$defs\/(.+)$/;

function mapped(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, prefix));
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key === '$ref' ? DEFINITION.exec(String(inner))?.[1] : undefined;
    setOwn(copy, key, name === undefined ? mapped(inner, prefix) : `#/components/schemas/${prefix}_${name}`);
  }
  return copy;
}
