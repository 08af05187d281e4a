import type { JsonPrimitive, JsonSchema } from '../../common/index.js';

export type JsonKind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

export const JSON_KINDS: readonly JsonKind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** Which JSON values pass: what one validator lets through, or several together. */
export interface Constraint {
  readonly kinds: readonly JsonKind[];
  /** Whether an absent value passes. */
  readonly acceptsUndefined: boolean;
  /** Keywords that bear on the values of one kind. */
  readonly keywords: Readonly<Partial<Record<JsonKind, JsonSchema>>>;
  /** Formats of strings, alternatives of one another. They are annotations: no value is refused for its format. */
  readonly formats?: readonly string[];
  /** Of arrays. */
  readonly items?: Constraint;
  /** The only values that pass. */
  readonly values?: readonly JsonPrimitive[];
  /** Values that do not pass. */
  readonly refused?: readonly JsonPrimitive[];
  /** What the keywords cannot carry, in words for the model. */
  readonly notes: readonly string[];
  /** What the keywords cannot carry, in words for the developer. */
  readonly gaps: readonly string[];
}

export const ANYTHING: Constraint = Object.freeze({
  kinds: JSON_KINDS,
  acceptsUndefined: true,
  keywords: {},
  notes: [],
  gaps: [],
});

export const ANYTHING_DEFINED: Constraint = Object.freeze({
  ...ANYTHING,
  kinds: JSON_KINDS.filter((kind) => kind !== 'null'),
  acceptsUndefined: false,
});

/** A constraint to values of one kind. */
export function only(kind: JsonKind, keywords: JsonSchema = {}, rest: Partial<Constraint> = {}): Constraint {
  return {
    kinds: [kind],
    acceptsUndefined: false,
    keywords: Object.keys(keywords).length > 0 ? { [kind]: keywords } : {},
    notes: [],
    gaps: [],
    ...rest,
  };
}

/** What passes one and the other. */
export function both(one: Constraint, other: Constraint): Constraint {
  const formats = intersection(one.formats, other.formats);
  const values = intersection(one.values, other.values);
  const refused = [...(one.refused ?? []), ...(other.refused ?? [])];
  const items = one.items && other.items ? both(one.items, other.items) : (one.items ?? other.items);
  return {
    kinds: one.kinds.filter((kind) => other.kinds.includes(kind)),
    acceptsUndefined: one.acceptsUndefined && other.acceptsUndefined,
    keywords: mergeKeywords(one.keywords, other.keywords),
    // Formats annotate: where two of them have nothing in common, the first is the one that is told.
    ...(formats && { formats: formats.length > 0 ? formats : (one.formats ?? []) }),
    ...(items && { items }),
    ...(values && { values }),
    ...(refused.length > 0 && { refused }),
    notes: distinct([...one.notes, ...other.notes]),
    gaps: distinct([...one.gaps, ...other.gaps]),
  };
}

/** The constraint, narrowed to those of the kinds that it lets through at all; as it is where there are none. */
export function narrowTo(constraint: Constraint, kinds: readonly JsonKind[]): Constraint {
  const narrowed = constraint.kinds.filter((kind) => kinds.includes(kind));
  const hasOthers = narrowed.some((kind) => kind !== 'null');
  return hasOthers ? { ...constraint, kinds: narrowed } : constraint;
}

export function kindOf(value: JsonPrimitive): JsonKind {
  return value === null ? 'null' : (typeof value as JsonKind);
}

export function isJsonPrimitive(value: unknown): value is JsonPrimitive {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

type Keywords = Constraint['keywords'];

function mergeKeywords(one: Keywords, other: Keywords): Keywords {
  const merged: Partial<Record<JsonKind, JsonSchema>> = { ...one };
  for (const kind of Object.keys(other) as JsonKind[]) {
    merged[kind] = mergeSchemas(one[kind] ?? {}, other[kind] ?? {});
  }
  return merged;
}

const TIGHTER: Readonly<Record<string, (...numbers: number[]) => number>> = {
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
};

function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...one };
  const clashes: JsonSchema[] = [];
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    if (keyword === 'allOf') clashes.push(...(value as JsonSchema[]));
    else if (known === undefined || JSON.stringify(known) === JSON.stringify(value)) merged[keyword] = value;
    else if (Object.hasOwn(TIGHTER, keyword)) merged[keyword] = TIGHTER[keyword]?.(known as number, value as number);
    else clashes.push({ [keyword]: value });
  }
  return clashes.length > 0 ? { ...merged, allOf: [...(one.allOf ?? []), ...clashes] } : merged;
}

function intersection<Item>(
  one: readonly Item[] | undefined,
  other: readonly Item[] | undefined,
): readonly Item[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((item) => other.includes(item));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
