import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  ValidationPipe,
  type Type,
} from '@nestjs/common';
import type { JsonSchema, JsonValue } from '../../common/index.js';
import { ANYTHING, both, isJsonPrimitive, only, type Constraint } from './constraint.js';
import { constraintSchema } from './constraint-schema.js';
import { describeDesignType } from './declared-type.js';
import { DATE_FORMATS, enumValues, VALIDATOR_RULES } from './validators/index.js';

/** What a pipe of Nest's takes. */
export interface KnownPipe {
  /** Undefined where the pipe takes any value. */
  readonly schema: JsonSchema | undefined;
  /** Whether it refuses an absent value. */
  readonly required: boolean;
  /** What it puts in the place of an absent value, where JSON can carry that. */
  readonly default?: JsonValue;
}

/**
 * Reads a pipe, given as a class or as an instance. `transparent`: it says nothing of a single value, or no more than the
 * parameter's own type does. `unknown`: it is the application's.
 */
export function readPipe(pipe: unknown, ofClass: OfClass): KnownPipe | 'transparent' | 'unknown' {
  if (isPipe(pipe, ValidationPipe)) return 'transparent';
  if (isPipe(pipe, DefaultValuePipe)) return defaultValue(pipe);
  const parser = PARSERS.find((each) => isPipe(pipe, each.pipe));
  // What the constructor of a derived class sets is known of its instances only.
  if (parser === undefined || (typeof pipe === 'function' && pipe !== parser.pipe)) return 'unknown';
  const options = typeof pipe === 'function' ? {} : (pipe as PipeWithOptions).options;
  const schema = parser.schema(pipe as PipeWithOptions, options ?? {}, ofClass);
  return { schema, required: !isOptional(options ?? {}) };
}

/** Whether a pipe does something that only the application knows. */
export function isPipeOfApplication(pipe: unknown): boolean {
  return readPipe(pipe, () => ({})) === 'unknown';
}

/** The schema of a class; `validating`: the pipes that validate its instances. */
export type OfClass = (type: Type<unknown>, validating: readonly unknown[]) => JsonSchema;

interface PipeOptions {
  readonly optional?: boolean;
  readonly default?: () => unknown;
  readonly version?: string;
  readonly items?: unknown;
}

/** Nest keeps the options of its pipes in a field of this name; for `ParseEnumPipe` the enum as well. */
interface PipeWithOptions {
  readonly options?: PipeOptions;
  readonly enumType?: unknown;
  /** What `ParseArrayPipe` validates items by. */
  readonly validationPipe?: unknown;
}

interface Parser {
  readonly pipe: Type<unknown>;
  schema(pipe: PipeWithOptions, options: PipeOptions, ofClass: OfClass): JsonSchema;
}

const PARSERS: readonly Parser[] = [
  { pipe: ParseIntPipe, schema: () => ({ type: 'integer' }) },
  { pipe: ParseFloatPipe, schema: () => ({ type: 'number' }) },
  { pipe: ParseBoolPipe, schema: () => ({ type: 'boolean' }) },
  { pipe: ParseUUIDPipe, schema: (_pipe, { version }) => constraintSchema(rule('isUuid', version)) },
  { pipe: ParseEnumPipe, schema: ({ enumType }) => constraintSchema(rule('isIn', enumValues(enumType))) },
  { pipe: ParseDatePipe, schema: () => constraintSchema(only('string', {}, { formats: DATE_FORMATS })) },
  {
    pipe: ParseArrayPipe,
    schema: ({ validationPipe }, { items }, ofClass) => ({
      type: 'array',
      items: itemSchema(items, (type) => ofClass(type, [validationPipe])),
    }),
  },
];

/** A subclass counts only where it leaves the work to Nest's own method. */
function isPipe(pipe: unknown, known: Type<unknown>): boolean {
  const prototype: unknown = typeof pipe === 'function' ? pipe.prototype : pipe;
  const transform = (known.prototype as { transform: unknown }).transform;
  const isDerived = prototype === known.prototype || prototype instanceof known;
  return isDerived && (prototype as { transform?: unknown }).transform === transform;
}

function defaultValue(pipe: unknown): KnownPipe {
  const value = typeof pipe === 'function' ? undefined : (pipe as { defaultValue?: unknown }).defaultValue;
  const isTold = isJsonPrimitive(value) || (Array.isArray(value) && value.every(isJsonPrimitive));
  return { schema: undefined, required: false, ...(isTold && { default: value as JsonValue }) };
}

function isOptional(options: PipeOptions): boolean {
  return options.optional === true || options.default !== undefined;
}

function rule(name: 'isUuid' | 'isIn', parameter: unknown): Constraint {
  return both(ANYTHING, VALIDATOR_RULES[name]?.([parameter]) ?? ANYTHING);
}

function itemSchema(items: unknown, ofClass: (type: Type<unknown>) => JsonSchema): JsonSchema {
  const described = describeDesignType(items);
  if (described?.is === 'class') return ofClass(described.type);
  return described?.is === 'scalar' ? { type: described.kind as 'string' } : {};
}
