import type { JsonPrimitive, JsonSchema, JsonSchemaType } from '../../common/index.js';
import { ANYTHING, JSON_KINDS, kindOf, type Constraint, type JsonKind } from './constraint.js';

/** Writes a constraint as JSON Schema, every keyword beside the type that it bears on. */
export function constraintSchema(constraint: Constraint): JsonSchema {
  const schema =
    constraint.values === undefined ? kindsSchema(constraint) : choiceSchema(constraint, constraint.values);
  return withDescription(withRefused(schema, constraint), constraint.notes);
}

/** Adds sentences to the description of a schema. */
export function withDescription(schema: JsonSchema, notes: readonly string[]): JsonSchema {
  const sentences = [...(schema.description === undefined ? [] : [schema.description]), ...notes];
  return sentences.length > 0 ? { ...schema, description: sentences.join(' ') } : schema;
}

function kindsSchema(constraint: Constraint): JsonSchema {
  if (isOpen(constraint)) return {};
  const refused = refusedByOpen(constraint);
  if (refused !== undefined) return { not: refusalSchema(refused) };
  return unionOf(constraint.kinds.flatMap((kind) => kindSchemas(constraint, kind)));
}

function isOpen(constraint: Constraint): boolean {
  return constraint.kinds.length === JSON_KINDS.length && keywordCount(constraint) === 0;
}

/** What takes anything but null, an empty text, or both, is told by what it refuses. */
function refusedByOpen(constraint: Constraint): JsonPrimitive[] | undefined {
  const isNullable = constraint.kinds.includes('null');
  if (constraint.kinds.length !== JSON_KINDS.length - (isNullable ? 0 : 1)) return undefined;
  const isTextual = constraint.keywords.string?.minLength === 1;
  if (keywordCount(constraint) !== (isTextual ? 1 : 0)) return undefined;
  return [...(isTextual ? [''] : []), ...(isNullable ? [] : [null])];
}

function refusalSchema(refused: readonly JsonPrimitive[]): JsonSchema {
  if (refused.length > 1) return { enum: [...refused] };
  return refused[0] === null ? { type: 'null' } : { const: refused[0] };
}

function keywordCount({ keywords, items, formats }: Constraint): number {
  const beside = [items, formats].filter((each) => each !== undefined);
  return Object.values(keywords).flatMap((each) => Object.keys(each)).length + beside.length;
}

function kindSchemas(constraint: Constraint, kind: JsonKind): JsonSchema[] {
  const keywords = constraint.keywords[kind] ?? {};
  // An instance of a class may hold more than the object it was made of: no other keyword bears on it.
  if (keywords.$ref !== undefined) return [{ $ref: keywords.$ref }];
  if (keywords.anyOf !== undefined) return keywords.anyOf;
  // Some providers refuse an array whose items are not told.
  if (kind === 'array') return [{ type: 'array', items: constraintSchema(constraint.items ?? ANYTHING), ...keywords }];
  const formats = kind === 'string' ? (constraint.formats ?? []) : [];
  if (formats.length > 0) return formats.map((format) => ({ type: 'string', ...keywords, format }));
  return [{ type: kind, ...keywords }];
}

/** One schema for several alternatives; a lone type and null share one `type`. */
function unionOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const others = alternatives.filter((schema) => schema.type !== 'null');
  const [first] = others;
  if (others.length === alternatives.length) return others.length === 1 && first ? first : anyOf(others);
  if (first === undefined) return { type: 'null' };
  if (others.length === 1 && typeof first.type === 'string') return { ...first, type: [first.type, 'null'] };
  return anyOf([...others, { type: 'null' }]);
}

function anyOf(alternatives: readonly JsonSchema[]): JsonSchema {
  return alternatives.length > 0 ? { anyOf: [...alternatives] } : {};
}

/** The values, or a list of such values where the validator looks at each item of one. */
function choiceSchema(constraint: Constraint, values: readonly JsonPrimitive[]): JsonSchema {
  const usable = [...new Set(values)].filter((value) => constraint.kinds.includes(kindOf(value)));
  if (!constraint.kinds.includes('array')) return usable.length > 0 ? valuesSchema(constraint, usable) : {};
  const single = usable.filter((value) => value !== null);
  return unionOf([
    ...(single.length > 0 ? [valuesSchema(constraint, single)] : []),
    ...kindSchemas(constraint, 'array'),
    ...(usable.includes(null) ? [{ type: 'null' } as const] : []),
  ]);
}

function valuesSchema(constraint: Constraint, usable: readonly JsonPrimitive[]): JsonSchema {
  const kinds = [...new Set(usable.map(kindOf))].filter((kind) => kind !== 'null');
  const [kind] = kinds;
  if (kinds.length !== 1 || kind === undefined) return { enum: [...usable] };
  const type: JsonSchemaType = usable.every((value) => value === null || Number.isInteger(value)) ? 'integer' : kind;
  return { ...constraint.keywords[kind], type: usable.includes(null) ? [type, 'null'] : type, enum: [...usable] };
}

function withRefused(schema: JsonSchema, { kinds, refused }: Constraint): JsonSchema {
  const reachable = [...new Set(refused ?? [])].filter((value) => kinds.includes(kindOf(value)));
  if (reachable.length === 0) return schema;
  const not: JsonSchema = reachable.length === 1 ? { const: reachable[0] } : { enum: reachable };
  return schema.not === undefined ? { ...schema, not } : { allOf: [schema, { not }] };
}
