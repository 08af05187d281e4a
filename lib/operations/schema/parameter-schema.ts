import type { JsonSchema } from '../../common/index.js';
import { referenceToClass } from './class-schema.js';
import { only } from './constraint.js';
import { constraintSchema } from './constraint-schema.js';
import { declaredKinds } from './declared-type.js';
import { classOfParameter } from './parameter-class.js';
import { readPipe } from './parameter-pipes.js';
import type { SchemaContext } from './schema-context.js';
import { validationViewOf } from './validation-view.js';
import { DATE_FORMATS } from './validators/index.js';

export interface ParameterDescription {
  /** The emitted TypeScript type of the parameter. */
  readonly designType: unknown;
  /** The pipes of the parameter, classes or instances, in the order they run. */
  readonly pipes: readonly unknown[];
  /** For the boot report: `Controller.method, parameter N`. */
  readonly at: string;
}

export interface ParameterSchema {
  /** Of the value that the first pipe takes, as JSON: a number where text is parsed into one. */
  readonly schema: JsonSchema;
  /** Whether the pipes refuse an absent value. */
  readonly required: boolean;
  /** Whether one of the pipes is the application's own: only it knows what passes. */
  readonly hasUnknownPipe: boolean;
}

/** Reads one value that a parameter decorator picks: `@Param('id', ParseIntPipe) id: number`. */
export function schemaOfParameter(parameter: ParameterDescription, context: SchemaContext): ParameterSchema {
  const reading: Reading = { schema: undefined, required: undefined, default: undefined, hasUnknownPipe: false };
  for (const pipe of parameter.pipes) takePipe(reading, pipe, parameter.at, context);
  const schema = reading.schema ?? (reading.hasUnknownPipe ? {} : schemaOfDesignType(parameter, context));
  return {
    schema: reading.default === undefined ? schema : { ...schema, default: reading.default },
    required: reading.required ?? false,
    hasUnknownPipe: reading.hasUnknownPipe,
  };
}

interface Reading {
  schema: JsonSchema | undefined;
  required: boolean | undefined;
  default: unknown;
  hasUnknownPipe: boolean;
}

/** Each pipe takes what the one before it hands on: the first that looks at a value says what may come in. */
function takePipe(reading: Reading, pipe: unknown, at: string, context: SchemaContext): void {
  const known = readPipe(pipe, (type, validating) => {
    const view = validationViewOf(validating, (why) => context.report(at, why));
    return referenceToClass(type, context.viewedBy(view));
  });
  if (known === 'transparent') return;
  if (known === 'unknown') {
    context.report(at, `is read by ${pipeName(pipe)}, a pipe of the application: what it refuses is not told`);
    reading.hasUnknownPipe = true;
    // What the pipe makes of a value, or of an absent one, only it knows.
    reading.schema ??= {};
    reading.required ??= false;
    return;
  }
  reading.required ??= known.required;
  if (known.default !== undefined && reading.schema === undefined) reading.default = known.default;
  if (known.schema !== undefined) reading.schema ??= known.schema;
}

function pipeName(pipe: unknown): string {
  const named = typeof pipe === 'function' ? pipe : (pipe as { constructor?: { name?: string } } | null)?.constructor;
  return (named as { name?: string } | undefined)?.name || 'an unnamed pipe';
}

/** Without a pipe that says more, TypeScript's own type is what the parameter asks for. */
function schemaOfDesignType({ designType, at }: ParameterDescription, context: SchemaContext): JsonSchema {
  const parameterClass = classOfParameter(designType);
  if (parameterClass.kind === 'dto') return referenceToClass(parameterClass.type, context);
  if (parameterClass.kind === 'undecorated') {
    context.report(at, `is a ${parameterClass.className}, which has no decorators: nothing is validated, left open`);
    return { type: 'object' };
  }
  if (designType === Date) return constraintSchema(only('string', {}, { formats: DATE_FORMATS }));
  const [kind] = declaredKinds(designType) ?? [];
  if (kind !== undefined) return constraintSchema(only(kind));
  context.report(
    at,
    'has no type that outlives the compiler (an interface, a union, `import type`): nothing is validated, left open',
  );
  return {};
}
