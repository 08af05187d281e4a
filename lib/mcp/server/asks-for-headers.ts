const KEYWORD = 'x-mcp-header';
/** Their keys are names, and each value is a schema. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs']);
/** They hold values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Whether a schema asks clients to repeat an argument in a header (`x-mcp-header`). Header and argument could then differ,
 * and whatever stands in front of the application would decide by another value than the one that is used.
 */
export function asksForHeaders(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(asksForHeaders);
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (keyword === KEYWORD) return true;
    if (NAMED.has(keyword)) return isObject(value) && Object.values(value).some(asksForHeaders);
    return !VALUES.has(keyword) && asksForHeaders(value);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
