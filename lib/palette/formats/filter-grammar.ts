import type { JsonSchema } from '../../common/index.js';
import { mapSchema } from './map-schema.js';
import { definitionName, definitionsBehind } from './schema-references.js';

/** How the filters of a palette's query tools are written, told once for all of them. Give it to the model with the tools. */
export interface FilterGrammar {
  /** How to read the schema, for the model. */
  readonly text: string;
  /** JSON Schema 2020-12 of nothing but `$defs`, one for each kind of filter. */
  readonly schema: JsonSchema;
}

/** A query as it is told beside the grammar. */
export interface PointingQuery {
  readonly properties: Definitions;
  readonly definitions: Definitions;
  /** The definitions of the grammar that it points to. */
  readonly pointsTo: readonly string[];
}

type Definitions = Readonly<Record<string, JsonSchema>>;

const TEXT =
  'The filter grammar is a JSON Schema. Where an argument is said to be written as X of the filter grammar, what ' +
  '#/$defs/X accepts is a valid value.';

/** Collects the recursive definitions of query inputs, and tells tools apart from them. */
export class FilterGrammarBuilder {
  readonly #definitions: Record<string, JsonSchema> = {};
  /** By all that a definition means. */
  readonly #names = new Map<string, string>();

  /** The query's properties and definitions, with a pointer to the grammar in place of each recursive definition. */
  take(properties: Definitions, definitions: Definitions): PointingQuery {
    const pointsTo = new Set<string>();
    const recursive = new Set(
      Object.keys(definitions).filter((name) => definitionsBehind(name, definitions).has(name)),
    );
    const pointed = (schema: JsonSchema): JsonSchema => {
      const name = schema.$ref === undefined ? undefined : definitionName(schema.$ref);
      if (name === undefined || !recursive.has(name)) return schema;
      const told = this.#nameOf(name, definitions);
      pointsTo.add(told);
      return pointerTo(told);
    };
    const plain = Object.entries(definitions).filter(([name]) => !recursive.has(name));
    return {
      properties: mapAll(Object.entries(properties), pointed),
      definitions: mapAll(plain, pointed),
      pointsTo: [...pointsTo],
    };
  }

  /** Undefined where nothing was taken. */
  get grammar(): FilterGrammar | undefined {
    if (this.#names.size === 0) return undefined;
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    return { text: TEXT, schema: { $schema, $defs: this.#definitions } };
  }

  /** The name of a definition in the grammar: one name for what means the same, whatever it was called. */
  #nameOf(name: string, definitions: Definitions): string {
    const meaning = meaningOf(name, definitions);
    const known = this.#names.get(meaning);
    if (known !== undefined) return known;
    const free = this.#freeName(name);
    this.#names.set(meaning, free);
    this.#definitions[free] = {};
    this.#definitions[free] = mapSchema(definitions[name] ?? {}, (schema) => {
      const target = schema.$ref === undefined ? undefined : definitionName(schema.$ref);
      return target === undefined ? schema : { ...schema, $ref: `#/$defs/${this.#nameOf(target, definitions)}` };
    });
    return free;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let suffix = 2; Object.hasOwn(this.#definitions, name); suffix++) name = `${wanted}_${suffix}`;
    return name;
  }
}

/** The part of a grammar that some tools point to: the whole would tell of the others. Undefined where they point to none. */
export function grammarOf(
  tools: Iterable<{ readonly pointsTo: readonly string[] }>,
  grammar: FilterGrammar | undefined,
): FilterGrammar | undefined {
  const definitions = grammar?.schema.$defs ?? {};
  const named = [...tools].flatMap(({ pointsTo }) => pointsTo);
  const used = new Set(named.flatMap((name) => [name, ...definitionsBehind(name, definitions)]));
  if (grammar === undefined || used.size === 0) return undefined;
  const $defs = Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
  return Object.freeze({ ...grammar, schema: Object.freeze({ ...grammar.schema, $defs: Object.freeze($defs) }) });
}

function pointerTo(name: string): JsonSchema {
  return { type: 'object', description: `Written as ${name} of the filter grammar.` };
}

/** A definition and all that it leads to, but for its own name. */
function meaningOf(name: string, definitions: Definitions): string {
  const others = [...definitionsBehind(name, definitions)].filter((each) => each !== name);
  const text = JSON.stringify([definitions[name], others.map((each) => [each, definitions[each]])]);
  return text.replaceAll(`"#/$defs/${name}"`, '"#"');
}

function mapAll(entries: readonly [string, JsonSchema][], change: (schema: JsonSchema) => JsonSchema): Definitions {
  return Object.fromEntries(entries.map(([name, schema]) => [name, mapSchema(schema, change)]));
}
