import type { JsonSchema, JsonSchemaType } from '../../../common/index.js';

/** One schema for alternatives that are strict themselves. A scalar type without values and null share one `type`. */
export function unionOf(alternatives: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(alternatives.flatMap(branchesOf).map((each) => [JSON.stringify(each), each])).values()];
  const others = distinct.filter(({ type }) => type !== 'null');
  const [first] = others;
  if (first === undefined || distinct.length === 1) return distinct[0] ?? {};
  const isWithNull = others.length < distinct.length;
  if (others.length > 1 || !isWithNull || !isPlainScalar(first)) return { anyOf: distinct };
  const types: JsonSchemaType[] = Array.isArray(first.type) ? first.type : [first.type];
  return { ...first, type: [...new Set([...types, 'null' as const])] };
}

/** The schema, or null. What describes it describes both. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  return withSentences(unionOf([rest, { type: 'null' }]), [description]);
}

/** Adds sentences to a description. A `$ref` takes nothing beside it, so that it is wrapped. */
export function withSentences(schema: JsonSchema, sentences: readonly (string | undefined)[]): JsonSchema {
  const added = sentences.filter((sentence) => sentence !== undefined && sentence !== '');
  if (added.length === 0) return schema;
  const { description, ...rest } = schema;
  const told = [description, ...added].filter(Boolean).join(' ');
  return rest.$ref === undefined ? { ...rest, description: told } : { anyOf: [rest], description: told };
}

function isPlainScalar(schema: JsonSchema): schema is JsonSchema & { type: NonNullable<JsonSchema['type']> } {
  if (schema.type === undefined || schema.enum !== undefined) return false;
  return ![schema.type].flat().some((type) => type === 'object' || type === 'array');
}

/** A union within a union is one, unless it is described by itself. */
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf !== undefined && Object.keys(schema).length === 1 ? schema.anyOf : [schema];
}
