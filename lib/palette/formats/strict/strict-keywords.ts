import type { JsonSchema, JsonSchemaType } from '../../../common/index.js';

/**
 * The keywords that strict mode documents, by the type they bear on. What is not named here is left out of a strict schema
 * and told in its description.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export const STRICT_KEYWORDS: Readonly<Record<JsonSchemaType, readonly string[]>> = {
  string: ['pattern', 'format'],
  number: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  array: ['minItems', 'maxItems'],
  object: [],
  boolean: [],
  null: [],
};

const FORMATS: readonly unknown[] = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
];

/** Keywords that are read one by one, or that no model needs. */
const HANDLED: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'allOf', 'oneOf', '$ref', '$defs', '$schema', '$id', '$comment'],
  ...['title', 'description', 'default', 'examples', 'readOnly', 'writeOnly', 'deprecated'],
  ...['properties', 'required', 'additionalProperties', 'items'],
]);

const MAX_TOLD_LENGTH = 160;

/** The keywords of a schema that a strict one carries, for a value of one type. */
export function carriedKeywords(schema: JsonSchema, type: JsonSchemaType): JsonSchema {
  const carried = Object.entries(schema).filter(
    ([keyword, value]) => STRICT_KEYWORDS[type].includes(keyword) && isCarried(keyword, value),
  );
  return Object.fromEntries(carried);
}

/** What a strict schema cannot carry of these keywords, in words; empty where there is nothing. */
export function leftOutKeywords(schema: JsonSchema, types: readonly JsonSchemaType[]): string {
  const told = Object.entries(schema)
    .filter(([keyword]) => !HANDLED.has(keyword))
    .filter(
      ([keyword, value]) =>
        !(types.some((type) => STRICT_KEYWORDS[type].includes(keyword)) && isCarried(keyword, value)),
    )
    .map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`)
    .filter((text) => text.length <= MAX_TOLD_LENGTH);
  return told.length === 0 ? '' : `Must satisfy: ${told.join(', ')}.`;
}

/** Regular expressions that look around, or back at what they found, are refused, in strict mode and outside of it. */
export function isRefusedPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && /\(\?(?:=|!|<=|<!)|\\[1-9]|\\k</.test(pattern.replaceAll('\\\\', ''));
}

function isCarried(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return FORMATS.includes(value);
  return keyword !== 'pattern' || !isRefusedPattern(value);
}
