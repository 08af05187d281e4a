import type { JsonSchema } from '../../../common/index.js';
import { definitionName } from '../schema-references.js';

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_ENUM_VALUES = 1_000;
const MAX_NAME_CHARACTERS = 120_000;
const LONG_ENUM_VALUES = 250;
const MAX_LONG_ENUM_CHARACTERS = 15_000;

/**
 * Which documented limit a strict schema is past, in words; undefined where it is within all. A level of nesting is an object
 * within an object, through references too; a definition within itself counts once.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#objects-have-limitations-on-nesting-depth-and-size
 */
export function limitPassed(document: JsonSchema): string | undefined {
  const schemas = everySchema(document);
  const properties = schemas.flatMap(({ properties: own }) => Object.keys(own ?? {}));
  const enums = schemas.flatMap(({ enum: values }) => (values === undefined ? [] : [values]));
  const names = [...properties, ...Object.keys(document.$defs ?? {}), ...enums.flat().map(String)];
  if (properties.length > MAX_PROPERTIES) return `has more than ${MAX_PROPERTIES} properties`;
  if (enums.flat().length > MAX_ENUM_VALUES) return `has more than ${MAX_ENUM_VALUES} enum values`;
  if (charactersOf(names) > MAX_NAME_CHARACTERS) return `names more than ${MAX_NAME_CHARACTERS} characters`;
  if (enums.some((values) => values.length > LONG_ENUM_VALUES && charactersOf(values) > MAX_LONG_ENUM_CHARACTERS)) {
    return `has an enum of more than ${LONG_ENUM_VALUES} values and ${MAX_LONG_ENUM_CHARACTERS} characters`;
  }
  return depthOf(document, document, new Map()) > MAX_DEPTH ? `is nested more than ${MAX_DEPTH} deep` : undefined;
}

function charactersOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + String(value).length, 0);
}

function everySchema(schema: JsonSchema): JsonSchema[] {
  return [schema, ...[...innerSchemas(schema), ...Object.values(schema.$defs ?? {})].flatMap(everySchema)];
}

/** A strict schema has no other keyword that holds one. */
function innerSchemas({ properties, items, anyOf }: JsonSchema): JsonSchema[] {
  return [...Object.values(properties ?? {}), ...(typeof items === 'object' ? [items] : []), ...(anyOf ?? [])];
}

function depthOf(schema: JsonSchema, document: JsonSchema, known: Map<string, number>): number {
  const own = schema.properties === undefined ? 0 : 1;
  const name = schema.$ref === undefined ? undefined : definitionName(schema.$ref);
  if (name !== undefined) {
    if (!known.has(name)) {
      known.set(name, 0);
      known.set(name, depthOf(document.$defs?.[name] ?? {}, document, known));
    }
    return known.get(name) ?? 0;
  }
  return own + Math.max(0, ...innerSchemas(schema).map((inner) => depthOf(inner, document, known)));
}
