import type { JsonSchema, JsonSchemaType } from '../../../common/index.js';

/**
 * The only values that pass, as schemas of one type each, which strict mode asks for; null stands by itself. Undefined where
 * a value is no scalar.
 */
export function valueSchemas(schema: JsonSchema): JsonSchema[] | undefined {
  const values = allowedValues(schema);
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const types = [...new Set(values.map(typeOf))];
  return types.map((type) => {
    if (type === 'null') return { type };
    return { type, enum: values.filter((value) => typeOf(value) === type) };
  });
}

function allowedValues(schema: JsonSchema): unknown[] {
  const values = [...new Set(schema.enum ?? [schema.const])];
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  return values.filter((value) => {
    if (schema.enum !== undefined && Object.hasOwn(schema, 'const') && value !== schema.const) return false;
    return types === undefined || types.includes(typeOf(value)) || (types.includes('number') && isNumber(value));
  });
}

function typeOf(value: unknown): JsonSchemaType {
  if (value === null) return 'null';
  if (isNumber(value)) return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
