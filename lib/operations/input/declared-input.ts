import type { JsonSchema } from '../../common/index.js';
import type { SchemaContext } from '../schema/schema-context.js';

/**
 * What a parameter decorator of this library (or a plugin's) takes from a tool call's arguments. Ordinary custom
 * decorators declare nothing: they read the request, and a tool cannot reach them.
 */
export interface DeclaredInput {
  /** Where the HTTP request carries it. The schema is that of the whole body or of the whole query string. */
  readonly source: 'body' | 'query';
  /** All values together in one parameter of the query string, as JSON. Default: each in its own place. */
  readonly encoding?: { readonly as: 'json'; readonly name: string } | undefined;
  /** The schema that a model is told, an object schema without `$defs`: definitions go into the context. */
  schema(context: SchemaContext): JsonSchema;
}

const DECLARED_INPUTS = Symbol.for('nestjs-palette:operations:DECLARED_INPUTS');

/** Called by a parameter decorator: `prototype`, `method` and `index` are the decorator's own arguments. */
export function declareInput(prototype: object, method: string | symbol, index: number, input: DeclaredInput): void {
  const declared = new Map(declaredInputs(prototype, method));
  declared.set(index, input);
  Reflect.defineMetadata(DECLARED_INPUTS, declared, prototype, method);
}

/** The declared inputs of a method, by parameter index. */
export function declaredInputs(prototype: object, method: string | symbol): ReadonlyMap<number, DeclaredInput> {
  return (
    (Reflect.getMetadata(DECLARED_INPUTS, prototype, method) as ReadonlyMap<number, DeclaredInput> | undefined) ??
    new Map()
  );
}
