import 'reflect-metadata';
import type { JsonSchema } from '../../common/index.js';
import { SchemaContext } from '../../operations/index.js';
import { policyExtension } from './policy-extension.js';
import { schemaModel, toComponentReferences } from './schema-model.js';
import { SWAGGER_KEYS } from './swagger-keys.js';
import type { DescribedQueryInput } from './described-query-input.js';

/**
 * Leaves on a method what `@nestjs/swagger` reads, whether or not the application has it: the request's schema, and the
 * policy as `x-query-policy`. All of it is worked out when a document is made: the decorators of the route and of its
 * policy come after that of the parameter.
 */
export function describeQueryToOpenApi(input: DescribedQueryInput, prototype: object, method: string | symbol): void {
  const handler = Reflect.get(prototype, method) as object;
  const name = `${prototype.constructor.name}_${String(method)}_query`;
  append(SWAGGER_KEYS.parameters, requestParameter(input, name), handler);
  append(SWAGGER_KEYS.extraModels, lazily(input, name), handler);
  const extensions = (Reflect.getMetadata(SWAGGER_KEYS.extension, handler) ?? {}) as object;
  const extended = { ...extensions, 'x-query-policy': policyExtension(input) };
  Reflect.defineMetadata(SWAGGER_KEYS.extension, extended, handler);
}

function append(key: string, value: unknown, handler: object): void {
  const list = (Reflect.getMetadata(key, handler) ?? []) as readonly unknown[];
  Reflect.defineMetadata(key, [...list, value], handler);
}

/** What this library leaves itself is no documentation of the application's, and not read as one: it is no plain object. */
const OWN = Object.freeze({});

/** The body, or on a `GET` route the one parameter that holds JSON. */
function requestParameter(input: DescribedQueryInput, name: string): object {
  const schema: JsonSchema = { $ref: `#/components/schemas/${name}` };
  const inBody = () => input.source === 'body';
  const parameter = {
    // What stands here is thrown away where there is a schema, and its absence taken for a class.
    type: String,
    required: false,
    get in() {
      return input.source;
    },
    get name() {
      return input.encoding?.name;
    },
    get schema() {
      return inBody() ? schema : undefined;
    },
    get content() {
      return inBody() ? undefined : { 'application/json': { schema } };
    },
  };
  return Object.create(OWN, Object.getOwnPropertyDescriptors(parameter)) as object;
}

/** A function of this name is called for the model when a document is made. */
function lazily(input: DescribedQueryInput, name: string): () => unknown {
  const type = (): unknown => {
    const context = new SchemaContext();
    const schema = input.schema(context);
    const definitions = Object.entries(context.definitions);
    const models = definitions.map(([each, definition]) => {
      return schemaModel(`${name}_${each}`, toComponentReferences(definition, name));
    });
    return schemaModel(name, toComponentReferences(schema, name), models);
  };
  return type;
}
