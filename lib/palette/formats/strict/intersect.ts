import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, JsonSchemaType } from '../../../common/index.js';

/** One schema for several that hold together. */
export interface Intersection {
  readonly schema: JsonSchema;
  /** Keywords that only one schema each can have, and that two had: neither can be told for both. */
  readonly conflicts: readonly string[];
}

/** A schema without `allOf`: what holds together, in one object of keywords. */
export function withoutAllOf(schema: JsonSchema): Intersection {
  const { allOf = [], ...own } = schema;
  return allOf.map(withoutAllOf).reduce(joined, { schema: own, conflicts: [] });
}

/** What passes one schema and the other. */
export function intersect(one: JsonSchema, other: JsonSchema): Intersection {
  return joined(withoutAllOf(one), withoutAllOf(other));
}

function joined(one: Intersection, other: Intersection): Intersection {
  const merged: Record<string, unknown> = { ...one.schema };
  const conflicts = [...one.conflicts, ...other.conflicts];
  const unmerged: string[] = [];
  for (const [keyword, value] of Object.entries(other.schema)) {
    const known = merged[keyword];
    if (known === undefined || isDeepStrictEqual(known, value)) merged[keyword] = value;
    else if (keyword === 'description') merged[keyword] = `${String(known)} ${String(value)}`;
    else if (keyword === 'type') merged[keyword] = commonTypes(known as Types, value as Types);
    else if (Object.hasOwn(TIGHTER, keyword)) merged[keyword] = TIGHTER[keyword]?.(known as number, value as number);
    else if (SINGLE.has(keyword)) conflicts.push(keyword);
    else if (!ANNOTATIONS.has(keyword)) unmerged.push(`${keyword} ${JSON.stringify(value)}`);
  }
  // A second pattern, a second `not`: left out, and told.
  const description = [merged['description'], ...unmerged.map((text) => `Must satisfy: ${text}.`)]
    .filter(Boolean)
    .join(' ');
  return { schema: { ...merged, ...(description && { description }) }, conflicts };
}

type Types = JsonSchemaType | JsonSchemaType[];

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'default', 'examples', '$comment']);
const SINGLE: ReadonlySet<string> = new Set([
  ...['$ref', 'properties', 'items', 'additionalProperties', 'patternProperties', 'prefixItems', 'required'],
  ...['anyOf', 'oneOf', 'enum', 'const'],
]);
const TIGHTER: Readonly<Record<string, (one: number, other: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minItems: Math.max,
  minLength: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxItems: Math.min,
  maxLength: Math.min,
};

function commonTypes(one: Types, other: Types): JsonSchemaType[] {
  const others = [other].flat();
  return [one].flat().flatMap((type) => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return [type];
    return type === 'number' && others.includes('integer') ? (['integer'] as const) : [];
  });
}
