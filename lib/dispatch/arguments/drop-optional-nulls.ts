import { isPlainObject, ownValue, setOwn, type JsonSchema } from '../../common/index.js';
import { acceptsNull, referencedDefinition } from '../../palette/index.js';

type Arguments = Readonly<Record<string, unknown>>;

export interface NullDropping {
  /** The document that the arguments are told by. */
  readonly schema: JsonSchema;
  /** Whether also a null is dropped that the schema has as a value of the property. */
  readonly nullMeansAbsent: boolean;
}

/**
 * The arguments without the nulls by which a model leaves out what is optional: in strict mode it has to write every
 * property. A null stays where the property is required, where the schema takes it, and where alternatives of the schema differ
 * about it. What is given is not changed.
 */
export function dropOptionalNulls(args: Arguments, dropping: NullDropping): Arguments {
  return new NullDropper(dropping).without(args, [dropping.schema], 0) as Arguments;
}

/** Deeper than this nothing is looked at; the schema judges it as it is. */
const MAX_DEPTH = 200;

/** One way to fit a schema: schemas that hold together, without references and unions. */
type Alternative = readonly JsonSchema[];

class NullDropper {
  constructor(private readonly dropping: NullDropping) {}

  without(value: unknown, schemas: readonly JsonSchema[], depth: number): unknown {
    if (typeof value !== 'object' || value === null || schemas.length === 0 || depth > MAX_DEPTH) return value;
    const alternatives = distinct(schemas).flatMap((schema) => this.#alternatives(schema, new Set()));
    if (Array.isArray(value)) return this.#list(value, alternatives, depth);
    return isPlainObject(value) ? this.#object(value, alternatives, depth) : value;
  }

  #list(list: readonly unknown[], alternatives: readonly Alternative[], depth: number): unknown {
    const items = alternatives.filter((each) => each.every(mayBe('array'))).map(together(itemsOf));
    const changed = list.map((item) => this.without(item, items, depth + 1));
    return changed.some((item, index) => item !== list[index]) ? changed : list;
  }

  #object(object: Arguments, alternatives: readonly Alternative[], depth: number): unknown {
    const fitting = alternatives.filter((each) => fits(each, object));
    if (fitting.length === 0) return object;
    const copy = {};
    let isChanged = false;
    for (const [key, value] of Object.entries(object)) {
      const isDropped = value === null && fitting.every((each) => this.#isLeftOut(each, key));
      const told = fitting.map(together((schema) => propertyOf(schema, key)));
      const inner = isDropped ? undefined : this.without(value, told, depth + 1);
      isChanged ||= inner !== value;
      if (!isDropped) setOwn(copy, key, inner);
    }
    return isChanged ? copy : object;
  }

  /** Whether a null of a property says that there is none. */
  #isLeftOut(alternative: Alternative, key: string): boolean {
    const declared = alternative.map((schema) => ownValue(schema.properties ?? {}, key)).filter(isSchema);
    if (declared.length === 0 || alternative.some((schema) => schema.required?.includes(key))) return false;
    const { nullMeansAbsent, schema: document } = this.dropping;
    return nullMeansAbsent || !declared.every((schema) => acceptsNull(schema, document));
  }

  #alternatives(schema: JsonSchema, behind: ReadonlySet<string>): Alternative[] {
    const { $ref, allOf = [], anyOf, oneOf, ...own } = schema;
    const of = (inner: JsonSchema): Alternative[] => this.#alternatives(inner, behind);
    let all: Alternative[] = [[own]];
    for (const member of allOf) all = combined(all, of(member));
    for (const union of [anyOf, oneOf]) if (union) all = combined(all, union.filter(isSchema).flatMap(of));
    if ($ref === undefined) return all;
    const target = behind.has($ref) ? undefined : referencedDefinition($ref, this.dropping.schema);
    return target === undefined ? [] : combined(all, this.#alternatives(target, new Set([...behind, $ref])));
  }
}

function combined(all: readonly Alternative[], others: readonly Alternative[]): Alternative[] {
  return all.flatMap((one) => others.map((other) => [...one, ...other]));
}

/** Whether an object can be meant by an alternative: its keys and its constants tell. */
function fits(alternative: Alternative, object: Arguments): boolean {
  return alternative.every((schema) => {
    if (!mayBe('object')(schema)) return false;
    return Object.entries(object).every(([key, value]) => {
      const property = propertyOf(schema, key);
      if (property === undefined) return schema.additionalProperties !== false;
      const only = Object.hasOwn(property, 'const') ? [property.const] : property.enum;
      return only === undefined || value === null || only.includes(value);
    });
  });
}

function mayBe(type: 'object' | 'array'): (schema: JsonSchema) => boolean {
  return (schema) => schema.type === undefined || [schema.type].flat().includes(type);
}

function propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  const property = ownValue(schema.properties ?? {}, key);
  if (isSchema(property)) return property;
  return isSchema(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return isSchema(schema.items) ? schema.items : undefined;
}

/** What all schemas of an alternative say of one part of a value. */
function together(read: (schema: JsonSchema) => JsonSchema | undefined): (alternative: Alternative) => JsonSchema {
  return (alternative) => {
    const said = alternative.map(read).filter((schema) => schema !== undefined);
    return said.length === 1 && said[0] !== undefined ? said[0] : { allOf: said };
  };
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Set(schemas)];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
