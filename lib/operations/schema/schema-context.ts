import type { JsonSchema } from '../../common/index.js';

/** Something that JSON Schema cannot say, or that the metadata does not tell: left open in the schema, told at boot. */
export interface SchemaGap {
  /** `Class.property`, or `Controller.method, parameter N`. */
  readonly at: string;
  readonly why: string;
}

/** Options of the application's ValidationPipe that change which values pass; the defaults are the pipe's own. */
export interface ValidationView {
  /** Only validators of one of these groups apply. Default: every validator applies. */
  readonly groups?: readonly string[];
  /** Without `groups`, validators that have groups do not apply. Default: false. */
  readonly strictGroups?: boolean;
  /** Validators without a group apply beside those of `groups`. Default: false. */
  readonly always?: boolean;
  /** An absent property passes unless it is `@IsDefined()`. Default: false. */
  readonly skipUndefinedProperties?: boolean;
  /** A property that is null passes unless it is `@IsDefined()`. Default: false. */
  readonly skipNullProperties?: boolean;
  /** Both of the former. Default: false. */
  readonly skipMissingProperties?: boolean;
}

/** One JSON Schema document in the making: its `$defs`, and what it had to leave open. */
export class SchemaContext {
  readonly #document: SchemaDocument;
  readonly #names: Map<object, string>;

  constructor(
    readonly validation: ValidationView = {},
    document = new SchemaDocument(),
  ) {
    this.#document = document;
    this.#names = document.namesUnder(validation);
  }

  /** The same document, for values that pass a pipe with other options: a class has a definition for each of the two. */
  viewedBy(validation: ValidationView): SchemaContext {
    return new SchemaContext(validation, this.#document);
  }

  /**
   * A `$ref` to the definition of `identity` (a class, say), built on first use. Two identities that ask for one name get
   * two names. A definition may refer to itself while it is being built.
   */
  define(identity: object, name: string, build: () => JsonSchema): JsonSchema {
    const known = this.#names.get(identity);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const free = this.#freeName(name.replace(/[^A-Za-z0-9_]/g, '_') || 'Definition');
    this.#names.set(identity, free);
    this.#document.definitions[free] = {};
    this.#document.definitions[free] = build();
    return { $ref: `#/$defs/${free}` };
  }

  report(at: string, why: string): void {
    const { gaps } = this.#document;
    if (!gaps.some((gap) => gap.at === at && gap.why === why)) gaps.push({ at, why });
  }

  get gaps(): readonly SchemaGap[] {
    return this.#document.gaps;
  }

  /** The definitions made so far; empty where nothing asked for one. */
  get definitions(): Readonly<Record<string, JsonSchema>> {
    return this.#document.definitions;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let suffix = 2; Object.hasOwn(this.definitions, name); suffix++) name = `${wanted}_${suffix}`;
    return name;
  }
}

class SchemaDocument {
  readonly gaps: SchemaGap[] = [];
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, Map<object, string>>();

  /** The names that definitions have for values that pass a pipe with these options. */
  namesUnder(view: ValidationView): Map<object, string> {
    const key = JSON.stringify(Object.entries(view).sort());
    const names = this.#names.get(key) ?? new Map<object, string>();
    this.#names.set(key, names);
    return names;
  }
}
