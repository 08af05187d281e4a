import { isDeepStrictEqual } from 'node:util';
import { schemaPattern } from '../validators/index.js';

/** The keyword that carries marks from zod's conversion to the reading of what it yields. */
export const MARKS = 'x-nestjs-palette';

/** What zod's JSON Schema of a value does not say, or says otherwise than zod decides. */
export interface ZodMarks {
  /** Changed before it is checked: `.trim()`. */
  readonly isChanged?: boolean;
  /** Made from anything: `z.preprocess()`. */
  readonly isConverted?: boolean;
  /** Replaced where it does not fit: `.catch()`. */
  readonly isReplaced?: boolean;
  /** Checked in ways that only the application knows: `.refine()`, `.transform().pipe()`. */
  readonly isRefined?: boolean;
  /** Made a date: `z.coerce.date()`. */
  readonly isDate?: boolean;
  /** Of a kind that JSON has not: `map`. */
  readonly untold?: string;
  /** Sources of patterns that mean something else without their flags, or that zod does not check by. */
  readonly withoutPatterns?: readonly string[];
}

/** Options for zod's `jsonSchema.input()`: they mark what a conversion loses. zod itself is not needed. */
export const ZOD_OPTIONS = Object.freeze({ unrepresentable: 'any', override });

/** Whether an absent value may pass a schema of zod's. */
export function mayAcceptUndefined(schema: unknown): boolean {
  const { def, optin } = internalsOf(schema);
  if (def === undefined || optin !== undefined) return true;
  const type = def.type ?? '';
  if (COERCIBLE.has(type)) return def.coerce === true && !['number', 'date', 'bigint'].includes(type);
  if (type === 'literal') return def.values?.includes(undefined) ?? true;
  if (type === 'union') return def.options?.some(mayAcceptUndefined) ?? true;
  if (type === 'nullable' || type === 'readonly') return mayAcceptUndefined(def.innerType);
  if (type === 'pipe') return mayAcceptUndefined(def.in);
  return !DEFINED.has(type);
}

const COERCIBLE = new Set(['string', 'number', 'boolean', 'bigint', 'date']);
const DEFINED = new Set(['object', 'array', 'enum', 'record', 'tuple', 'map', 'set', 'template_literal', 'null']);

interface ZodOverride {
  readonly zodSchema: unknown;
  readonly jsonSchema: Record<string, unknown>;
}

interface ZodDefinition {
  readonly type?: string;
  readonly coerce?: boolean;
  readonly format?: string;
  readonly check?: string;
  readonly checks?: readonly unknown[];
  readonly in?: unknown;
  readonly out?: unknown;
  readonly reverseTransform?: unknown;
  readonly innerType?: unknown;
  readonly options?: readonly unknown[];
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly defaultValue?: unknown;
  readonly pattern?: unknown;
  readonly position?: unknown;
}

interface ZodInternals {
  readonly def?: ZodDefinition;
  /** Set where the value may be absent. */
  readonly optin?: string | undefined;
}

/** Called by zod for each schema in a schema, inner ones first. */
function override({ zodSchema, jsonSchema }: ZodOverride): void {
  const { def = {} } = internalsOf(zodSchema);
  const marks = marksOf(def, jsonSchema);
  if (Object.keys(marks).length > 0) jsonSchema[MARKS] = { ...(jsonSchema[MARKS] as ZodMarks | undefined), ...marks };
  if (def.type === 'object' && Array.isArray(jsonSchema['required'])) {
    const required = jsonSchema['required'].filter((name: string) => isPresent(def.shape?.[name]));
    if (required.length > 0) jsonSchema['required'] = required;
    else delete jsonSchema['required'];
  }
  if (NO_FORMATS.has(jsonSchema['format'])) delete jsonSchema['format'];
  // That numbers are exact, goes without saying.
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  // A default that a function makes anew is none that can be told.
  if (!isDeepStrictEqual(def.defaultValue, def.defaultValue)) delete jsonSchema['default'];
}

function marksOf(def: ZodDefinition, jsonSchema: object): ZodMarks {
  const checks = (def.checks ?? []).map((check) => internalsOf(check).def ?? {});
  const withoutPatterns = misleadingPatterns(def, checks);
  const isConverted = [def, internalsOf(def.in).def].some((each) => each?.type === 'transform');
  const isDate = def.type === 'date' && def.coerce === true;
  return {
    ...(checks.some(({ check }) => check === 'overwrite') && { isChanged: true }),
    ...((checks.some(({ check }) => check === 'custom') || isStaged(def)) && { isRefined: true }),
    ...(isConverted && { isConverted }),
    ...(def.type === 'catch' && { isReplaced: true }),
    ...(isDate && { isDate }),
    ...(!isDate && isUntold(def, jsonSchema) && { untold: def.type ?? 'unknown' }),
    ...(withoutPatterns.length > 0 && { withoutPatterns }),
  };
}

/** A codec has a function for the way back: its two ends fit one another. */
function isStaged(def: ZodDefinition): boolean {
  const ends = [def.in, def.out].map((end) => internalsOf(end).def?.type);
  return def.type === 'pipe' && !ends.includes('transform') && def.reverseTransform === undefined;
}

function isUntold(def: ZodDefinition, jsonSchema: object): boolean {
  if (def.type === 'file') return true;
  return UNREPRESENTABLE.has(def.type ?? '') && !STRUCTURE.some((keyword) => Object.hasOwn(jsonSchema, keyword));
}

const UNREPRESENTABLE = new Set([
  'bigint',
  'custom',
  'date',
  'function',
  'map',
  'nan',
  'promise',
  'set',
  'symbol',
  'undefined',
  'void',
]);
const STRUCTURE = ['type', '$ref', 'anyOf', 'allOf', 'enum', 'const', 'not'];

/** What zod calls formats of text, beside those that are ones. */
const NO_FORMATS: ReadonlySet<unknown> = new Set([
  'includes',
  'starts_with',
  'ends_with',
  'lowercase',
  'uppercase',
  'regex',
]);

/** Formats whose check is a function, or that say all that their long patterns say. */
const TOLD_BY_FORMAT = new Set(['cidrv6', 'ipv6', 'date', 'datetime', 'duration', 'guid', 'time', 'uuid']);

function misleadingPatterns(def: ZodDefinition, checks: readonly ZodDefinition[]): string[] {
  const misleading = [def, ...checks].filter(
    ({ pattern, format, position }) =>
      TOLD_BY_FORMAT.has(format ?? '') ||
      (format === 'includes' && position !== undefined) ||
      (pattern instanceof RegExp && schemaPattern(pattern) === undefined),
  );
  return misleading.flatMap(({ pattern }) => (pattern instanceof RegExp ? pattern.source : []));
}

function isPresent(schema: unknown): boolean {
  return internalsOf(schema).optin === undefined;
}

function internalsOf(schema: unknown): ZodInternals {
  return (schema as { readonly _zod?: ZodInternals } | undefined)?._zod ?? {};
}
