import { setOwn, type JsonSchema } from '../../common/index.js';

const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'] as const;
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'] as const;

/**
 * A schema with every schema in it replaced by what `change` makes of it, inner ones first. Values (`enum`, `default`,
 * `examples`) are no schemas: they are left as they are.
 */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const inner = (value: unknown): unknown => (isSchemaObject(value) ? mapSchema(value, change) : value);
  for (const keyword of SCHEMA_MAPS) {
    const map = copy[keyword];
    if (isSchemaObject(map)) copy[keyword] = mapped(map, inner);
  }
  for (const keyword of SCHEMA_LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map(inner);
  }
  for (const keyword of SCHEMAS) if (Object.hasOwn(copy, keyword)) copy[keyword] = inner(copy[keyword]);
  return change(copy);
}

function mapped(map: object, change: (value: unknown) => unknown): object {
  const copy = {};
  for (const [name, value] of Object.entries(map)) setOwn(copy, name, change(value));
  return copy;
}

function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
