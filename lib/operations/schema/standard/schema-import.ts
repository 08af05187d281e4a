import { isPlainObject, ownValue, setOwn, type JsonSchema } from '../../../common/index.js';
import type { SchemaContext } from '../schema-context.js';
import { expressionOf, schemaPattern } from '../validators/index.js';
import { applyMarks } from './apply-marks.js';
import { MARKS, type ZodMarks } from './zod-marks.js';

export interface SchemaImportOptions {
  readonly context: SchemaContext;
  /** What the whole is called where it refers to itself. */
  readonly name: string;
  /** For the boot report: the place of a property, `''` for the whole, `address.city` within it. */
  readonly placeOf: (path: string) => string;
}

const COPIED: ReadonlySet<string> = new Set([
  ...[
    'type',
    'title',
    'description',
    'default',
    'examples',
    'const',
    'enum',
    'format',
    'required',
    'dependentRequired',
  ],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'contentEncoding', 'contentMediaType'],
]);
/** They constrain, and are not taken over. Whatever else is unknown is an annotation. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['if', 'then', 'else', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', '$dynamicRef'],
]);

/** Takes a JSON Schema that a library wrote into a document of ours: its definitions become the document's. */
export class SchemaImport {
  /** Properties of the whole that the application makes from whatever comes: over HTTP that is text. */
  readonly convertedProperties = new Set<string>();
  readonly #references = new Map<string, object>();
  #losses = 0;

  constructor(
    private readonly document: Readonly<Record<string, unknown>>,
    private readonly options: SchemaImportOptions,
  ) {}

  /** The whole, its references as `$ref`s into the context. A whole that is a mere reference is what it refers to. */
  read(): JsonSchema {
    const { $ref } = this.document;
    const own = Object.keys(this.document).filter((keyword) => !['$ref', '$schema', '$defs'].includes(keyword));
    const key = own.length === 0 ? definitionKey($ref) : undefined;
    return this.#convert((key !== undefined && this.#definition(key)) || this.document, []);
  }

  #convert(schema: unknown, path: readonly string[]): JsonSchema {
    if (schema === false) return { not: {} };
    if (!isPlainObject(schema)) return {};
    const written: JsonSchema = {};
    for (const [keyword, value] of Object.entries(schema)) this.#write(written, keyword, value, path);
    const told = withNamedProperties(written);
    const marks = schema[MARKS] as ZodMarks | undefined;
    if (marks === undefined) return told;
    if (marks.isConverted || marks.isReplaced) this.convertedProperties.add(path[0] ?? '');
    return applyMarks(told, marks, (why) => this.#lose(path, why));
  }

  #write(written: JsonSchema, keyword: string, value: unknown, path: readonly string[]): void {
    if (COPIED.has(keyword)) setOwn(written, keyword, value);
    else if (keyword === '$ref') Object.assign(written, this.#reference(value, path));
    else if (keyword === 'pattern') Object.assign(written, this.#pattern(value, path));
    else if (keyword === 'multipleOf') Object.assign(written, this.#multipleOf(value, path));
    else if (keyword === 'not') Object.assign(written, this.#negation(value, path));
    else if (keyword === 'allOf') written.allOf = this.#together(value, path);
    // Which alternative it is, the application decides: two of them may fit once one of them is opened.
    else if (keyword === 'anyOf' || keyword === 'oneOf') addUnion(written, this.#list(value, path));
    else if (keyword === 'prefixItems') written.prefixItems = this.#list(value, path);
    else if (keyword === 'items') written.items = value === false ? false : this.#convert(value, [...path, '[]']);
    else if (keyword === 'properties' || keyword === 'patternProperties') written[keyword] = this.#map(value, path);
    else if (keyword === 'propertyNames') written.propertyNames = this.#convert(value, path);
    else if (keyword === 'additionalProperties') {
      written.additionalProperties = typeof value === 'boolean' ? value : this.#convert(value, [...path, '*']);
    } else if (LEFT_OUT.has(keyword)) this.#lose(path, `is told with "${keyword}", which is left out`);
  }

  #list(value: unknown, path: readonly string[]): JsonSchema[] {
    return Array.isArray(value) ? value.map((each) => this.#convert(each, path)) : [];
  }

  #map(value: unknown, path: readonly string[]): Record<string, JsonSchema> {
    const converted = {};
    const entries = isPlainObject(value) ? Object.entries(value) : [];
    for (const [name, each] of entries) setOwn(converted, name, this.#convert(each, [...path, name]));
    return converted;
  }

  /** Closed objects that hold together would leave no key that each of them knows. */
  #together(value: unknown, path: readonly string[]): JsonSchema[] {
    const branches = this.#list(value, path);
    if (branches.filter((branch) => branch.additionalProperties === false).length === 0) return branches;
    return branches.map(({ additionalProperties, ...rest }) =>
      additionalProperties === false ? rest : { ...rest, ...(additionalProperties && { additionalProperties }) },
    );
  }

  /** What loses something within a negation would refuse more than it is meant to. */
  #negation(value: unknown, path: readonly string[]): JsonSchema {
    const before = this.#losses;
    const not = this.#convert(value, path);
    return this.#losses === before ? { not } : {};
  }

  #pattern(value: unknown, path: readonly string[]): JsonSchema {
    const expression = expressionOf(value, '');
    const pattern = expression && schemaPattern(expression);
    if (pattern === undefined) this.#lose(path, 'has a pattern that JSON Schema cannot carry: left out');
    return pattern === undefined ? {} : { pattern };
  }

  /** Fractions are compared with a tolerance by the libraries, and exactly by validators of JSON Schema. */
  #multipleOf(value: unknown, path: readonly string[]): JsonSchema {
    if (Number.isInteger(value)) return { multipleOf: value as number };
    this.#lose(path, 'must be a multiple of a fraction, which JSON Schema compares otherwise: left out');
    return {};
  }

  #reference(value: unknown, path: readonly string[]): JsonSchema {
    const { context, name } = this.options;
    if (value === '#') return context.define(this.#identity('#'), name, () => this.#convert(this.document, []));
    const key = definitionKey(value);
    const definition = key === undefined ? undefined : this.#definition(key);
    if (key === undefined || definition === undefined) {
      this.#lose(path, 'refers to a schema outside of its own: left open');
      return {};
    }
    const wanted = key.startsWith('__') ? `${name}Part` : key;
    return context.define(this.#identity(key), wanted, () => this.#convert(definition, [wanted]));
  }

  #definition(key: string): unknown {
    return ['$defs', 'definitions']
      .map((keyword) => ownValue(this.document, keyword))
      .map((definitions) => (isPlainObject(definitions) ? ownValue(definitions, key) : undefined))
      .find((definition) => definition !== undefined);
  }

  #identity(reference: string): object {
    const identity = this.#references.get(reference) ?? {};
    this.#references.set(reference, identity);
    return identity;
  }

  #lose(path: readonly string[], why: string): void {
    this.#losses += 1;
    this.options.context.report(this.options.placeOf(path.join('.')), why);
  }
}

function addUnion(written: JsonSchema, alternatives: JsonSchema[]): void {
  if (written.anyOf === undefined) written.anyOf = alternatives;
  else written.allOf = [...(written.allOf ?? []), { anyOf: alternatives }];
}

/** Keys that must be one of several are the properties that there are; that keys are text goes without saying. */
function withNamedProperties(schema: JsonSchema): JsonSchema {
  const { propertyNames, ...rest } = schema;
  if (propertyNames === undefined) return schema;
  const keywords = Object.keys(propertyNames).filter((keyword) => keyword !== 'type');
  if (keywords.length === 0) return rest;
  if (propertyNames.enum === undefined || rest.properties !== undefined) return schema;
  const value = typeof rest.additionalProperties === 'object' ? rest.additionalProperties : {};
  const properties = {};
  for (const name of propertyNames.enum) setOwn(properties, String(name), value);
  return { ...rest, properties, additionalProperties: false };
}

/** The name of the definition that a reference within a document leads to. */
function definitionKey(reference: unknown): string | undefined {
  const [, segment] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(String(reference)) ?? [];
  return segment && decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}
