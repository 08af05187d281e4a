import type { ModelRequest } from '../model.js';

/** `response_format` of an output. Strict only where asked for: it needs a schema whose every property is required. */
export function responseFormat(
  { name, schema }: NonNullable<ModelRequest['output']>,
  isStrict: boolean,
): Readonly<Record<string, unknown>> {
  return { type: 'json_schema', json_schema: { name, schema, ...(isStrict && { strict: isClosed(schema) }) } };
}

/** Whether strict mode takes a schema as it is: each of its objects closed and without optional properties. */
function isClosed(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isClosed);
  const { type, properties, required, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (type === 'object') {
    const names = Object.keys((properties ?? {}) as object);
    const needed = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every((name) => needed.includes(name))) return false;
  }
  return Object.values(schema).every(isClosed);
}
