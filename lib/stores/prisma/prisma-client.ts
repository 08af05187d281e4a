/**
 * What is needed of a generated client, of an extended one, or of the client of a transaction: statements with parameters.
 * The library never puts a value into their text.
 */
export interface PrismaClientLike {
  $queryRawUnsafe<Answer = unknown>(statement: string, ...parameters: unknown[]): PromiseLike<Answer>;
}

/** What Prisma calls a column that is no relation. */
export interface PrismaField {
  readonly name: string;
  /** Its column in the database. */
  readonly column: string;
  /** `String`, `Int`, ...; the name of the enum for an enum, which Prisma gives no other sign of. */
  readonly type: string;
  readonly isEnum: boolean;
}

/** A model as the generated client knows it. */
export interface PrismaModel {
  readonly name: string;
  readonly dialect: 'sqlite' | 'postgres';
  readonly schema: string | undefined;
  readonly table: string;
  /** In the order of the schema. Own names only: look them up here, never in an object. */
  readonly fields: ReadonlyMap<string, PrismaField>;
}

const DIALECTS: Readonly<Record<string, PrismaModel['dialect']>> = { sqlite: 'sqlite', postgresql: 'postgres' };

/**
 * Reads a model from the client: Prisma 7 generates no other description of it that is there at run time.
 * @throws TypeError where the client does not have the model, or is for another database
 */
export function modelOf(client: PrismaClientLike, name: string, schema?: string): PrismaModel {
  const { _activeProvider: provider, _runtimeDataModel: data } = client as unknown as ClientInternals;
  const dialect = typeof provider === 'string' && Object.hasOwn(DIALECTS, provider) ? DIALECTS[provider] : undefined;
  if (dialect === undefined || typeof data?.models !== 'object') {
    throw new TypeError('PrismaQueryExecutor takes a client of Prisma 7 for SQLite or PostgreSQL.');
  }
  const model = Object.hasOwn(data.models, name) ? data.models[name] : undefined;
  if (model === undefined) {
    const known = Object.keys(data.models).join(', ');
    throw new TypeError(`The Prisma client has no model "${name}". Name one of: ${known}.`);
  }
  const fields = model.fields.filter(({ kind }) => kind === 'scalar' || kind === 'enum').map(fieldOf);
  return Object.freeze({
    name,
    dialect,
    schema: schema ?? model.schema ?? undefined,
    table: model.dbName ?? name,
    fields: new Map(fields.map((field) => [field.name, field])),
  });
}

interface ClientInternals {
  readonly _activeProvider?: unknown;
  readonly _runtimeDataModel?: { readonly models: Readonly<Record<string, RuntimeModel>> };
}

interface RuntimeModel {
  readonly dbName?: string | null;
  readonly schema?: string | null;
  readonly fields: readonly RuntimeField[];
}

interface RuntimeField {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly dbName?: string | null;
}

function fieldOf({ name, kind, type, dbName }: RuntimeField): PrismaField {
  return Object.freeze({ name, column: dbName ?? name, type, isEnum: kind === 'enum' });
}
