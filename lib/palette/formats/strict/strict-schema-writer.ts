import { pointerSegment, setOwn, type JsonSchema, type JsonSchemaType } from '../../../common/index.js';
import { acceptsNull } from '../accepts-null.js';
import { definitionName, referencedDefinition } from '../schema-references.js';
import { intersect, withoutAllOf, type Intersection } from './intersect.js';
import { carriedKeywords, leftOutKeywords } from './strict-keywords.js';
import { nullable, unionOf, withSentences } from './strict-union.js';
import { valueSchemas } from './strict-values.js';

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', '$comment']);
const MAX_DEFAULT_LENGTH = 100;

export interface StrictOptions {
  /** Whether a null of an optional property means that it is left out, also where the schema has null as a value. */
  readonly nullMeansAbsent: boolean;
}

/** Writes one document, and notes what stands in the way. */
export class StrictSchemaWriter {
  readonly obstacles: string[] = [];
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(
    private readonly source: JsonSchema,
    private readonly options: StrictOptions,
  ) {}

  document(): JsonSchema {
    const { $defs: _definitions, ...root } = this.source;
    const schema = this.#schema(root, '');
    return Object.keys(this.#definitions).length > 0 ? { ...schema, $defs: this.#definitions } : schema;
  }

  #schema(source: JsonSchema | boolean, at: string): JsonSchema {
    if (typeof source === 'boolean') return this.#obstacle(at, source ? 'takes any value' : 'takes no value');
    const { schema, conflicts } = withoutAllOf(source);
    if (conflicts.length > 0) return this.#obstacle(at, `holds together several ${conflicts.join(', ')}`);
    if (schema.$ref !== undefined) return this.#reference(schema, schema.$ref, at);
    if (schema.anyOf ?? schema.oneOf) return this.#union(schema, at);
    if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return this.#values(schema, at);
    return this.#typed(schema, at);
  }

  /** Strict mode takes a `$ref` by itself only: what stands beside it goes around it. */
  #reference(schema: JsonSchema, ref: string, at: string): JsonSchema {
    const name = definitionName(ref);
    const target = referencedDefinition(ref, this.source);
    if (name === undefined || target === undefined) return this.#obstacle(at, 'refers to what is not in the document');
    const { $ref: _ref, ...beside } = schema;
    const structure = ['properties', 'items', 'anyOf', 'oneOf', 'enum', 'const'].filter((each) => each in beside);
    if (structure.length > 0) return this.#obstacle(at, `has ${structure.join(', ')} beside a reference`);
    if (!Object.hasOwn(this.#definitions, name)) {
      this.#definitions[name] = {};
      this.#definitions[name] = this.#schema(target, `/$defs/${name}`);
    }
    return withSentences({ $ref: ref }, [schema.description, leftOutKeywords(beside, [])]);
  }

  #union(schema: JsonSchema, at: string): JsonSchema {
    const { anyOf, oneOf, ...beside } = schema;
    const base = Object.fromEntries(Object.entries(beside).filter(([keyword]) => !ANNOTATIONS.has(keyword)));
    // One of them exactly, or any of them: strict mode knows the latter only.
    const branches = [...(anyOf ?? oneOf ?? [])].filter((branch) => (branch as JsonSchema | boolean) !== false);
    const read = branches.map((branch) => branchOf(base, branch));
    if (read.some(({ conflicts }) => conflicts.length > 0)) return this.#obstacle(at, 'has keywords beside a union');
    const written = read
      .filter(({ schema: branch }) => !Array.isArray(branch.type) || branch.type.length > 0)
      .map(({ schema: branch }, index) => this.#schema(branch, `${at}/anyOf/${index}`));
    return withSentences(unionOf(written), [schema.description]);
  }

  #values(schema: JsonSchema, at: string): JsonSchema {
    const values = valueSchemas(schema);
    if (values === undefined || values.length === 0) return this.#obstacle(at, 'names values that are no scalars');
    return withSentences(unionOf(values), [schema.description]);
  }

  #typed(schema: JsonSchema, at: string): JsonSchema {
    const types = typesOf(schema);
    if (types.length === 0) return this.#obstacle(at, 'takes any value');
    const written = types.map((type) => this.#ofType(schema, type, at));
    return withSentences(unionOf(written), [schema.description, leftOutKeywords(schema, types)]);
  }

  #ofType(schema: JsonSchema, type: JsonSchemaType, at: string): JsonSchema {
    const title = schema.title === undefined ? {} : { title: schema.title };
    const own: JsonSchema = { type, ...title, ...carriedKeywords(schema, type) };
    if (type === 'array') return { ...own, items: this.#items(schema, at) };
    return type === 'object' ? { ...own, ...this.#object(schema, at) } : own;
  }

  #items(schema: JsonSchema, at: string): JsonSchema {
    if (schema.prefixItems !== undefined) return this.#obstacle(at, 'is a list of fixed places');
    return this.#schema(schema.items ?? true, `${at}/items`);
  }

  #object(schema: JsonSchema, at: string): JsonSchema {
    const { additionalProperties, patternProperties, properties } = schema;
    const isMap = additionalProperties !== undefined && additionalProperties !== false;
    const isOpen = properties === undefined && additionalProperties === undefined;
    if (isMap || isOpen || patternProperties) return this.#obstacle(at, 'is an object whose keys are free');
    const required = schema.required ?? [];
    const names = Object.keys(properties ?? {});
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0) return this.#obstacle(at, `requires ${missing.join(', ')}, which it does not describe`);
    const strict: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(properties ?? {})) {
      setOwn(strict, name, this.#property(property, required.includes(name), at + pointerSegment(name)));
    }
    return { properties: strict, required: names, additionalProperties: false };
  }

  #property(property: JsonSchema, isRequired: boolean, at: string): JsonSchema {
    const strict = this.#schema(property, at);
    if (isRequired) return strict;
    const isNullable = acceptsNull(property, this.source);
    if (isNullable && !this.options.nullMeansAbsent) {
      this.#obstacle(at, 'may be left out and may be null, which strict mode cannot tell apart (see nullMeansAbsent)');
    }
    return withSentences(isNullable ? strict : nullable(strict), [defaultSentence(property)]);
  }

  #obstacle(at: string, why: string): JsonSchema {
    this.obstacles.push(`${at === '' ? 'The schema' : at} ${why}.`);
    return {};
  }
}

function branchOf(base: JsonSchema, branch: JsonSchema): Intersection {
  if (typeof branch !== 'object') return { schema: branch, conflicts: [] };
  // What a reference leads to says its type itself.
  const { type: _type, ...rest } = base;
  return intersect(branch.$ref === undefined ? base : rest, branch);
}

function typesOf(schema: JsonSchema): JsonSchemaType[] {
  if (schema.type !== undefined) return [schema.type].flat();
  if (schema.properties !== undefined) return ['object'];
  return schema.items === undefined ? [] : ['array'];
}

function defaultSentence(property: JsonSchema): string | undefined {
  if (property.default === undefined || property.default === null) return undefined;
  const text = JSON.stringify(property.default);
  return text.length > MAX_DEFAULT_LENGTH ? undefined : `Null means ${text}.`;
}
