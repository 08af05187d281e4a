/**
 * A schema of zod, valibot, ArkType and others, known by its shape: none of these packages is needed here.
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly vendor: string;
    /** Undefined where the library tells no JSON Schema. @see https://standardschema.dev/json-schema */
    readonly jsonSchema: { input(options: object): unknown } | undefined;
  };
}

/** The Standard Schema that a value is; undefined where it is none. */
export function standardSchemaOf(value: unknown): StandardSchema | undefined {
  const standard = read(value, '~standard');
  const isStandard = typeof read(standard, 'validate') === 'function' && typeof read(standard, 'vendor') === 'string';
  if (!isStandard) return undefined;
  const tellsJson = typeof read(read(standard, 'jsonSchema'), 'input') === 'function';
  return tellsJson ? (value as StandardSchema) : silent(read(standard, 'vendor') as string);
}

/** The schema that a class stands for: a static `schema`, as `createZodDto()` of nestjs-zod makes it, or the class itself. */
export function standardSchemaOfClass(type: unknown): StandardSchema | undefined {
  if (typeof type !== 'function') return undefined;
  return standardSchemaOf(type) ?? standardSchemaOf(read(type, 'schema'));
}

/** The one schema, or class that stands for one, that a pipe of the application was made with: `new ZodValidationPipe(schema)`. */
export function standardSchemaOfPipe(pipe: unknown): StandardSchema | undefined {
  if (typeof pipe !== 'object' || pipe === null) return undefined;
  const held = Object.values(pipe).map((value: unknown) => standardSchemaOf(value) ?? standardSchemaOfClass(value));
  const [schema, ...others] = held.filter((each) => each !== undefined);
  return others.length === 0 ? schema : undefined;
}

function silent(vendor: string): StandardSchema {
  return { '~standard': { vendor, jsonSchema: undefined } };
}

/** Also what a function or a prototype has; a getter that throws has nothing. */
function read(value: unknown, key: string): unknown {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
