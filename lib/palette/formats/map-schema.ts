import { setOwn, type JsonSchema } from '../../common/index.js';

const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'] as const;
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'] as const;

/**
 * A copy of a schema, every schema in it replaced by what `change` makes of it, inner ones first. Values (`enum`, `default`,
 * `examples`) are no schemas: they are copied as they are.
 */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  const inner = (value: unknown): unknown => (isSchemaObject(value) ? mapSchema(value, change) : value);
  for (const keyword of SCHEMA_MAPS) {
    const map = copy[keyword];
    if (isSchemaObject(map)) for (const [name, value] of Object.entries(map)) setOwn(map, name, inner(value));
  }
  for (const keyword of SCHEMA_LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map(inner);
  }
  for (const keyword of SCHEMAS) if (Object.hasOwn(copy, keyword)) copy[keyword] = inner(copy[keyword]);
  return change(copy);
}

function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
