/** A filter or a pipeline stage, as it is sent. */
export type Document = Record<string, unknown>;

/** What the executor uses of a Mongoose model: every model has it, whatever its type parameters. */
export interface MongooseModel {
  readonly modelName: string;
  readonly schema: { path(path: string): { readonly instance?: string | undefined } | undefined };
  readonly base: MongooseInstance;
  readonly db: { get(key: string): unknown };
  aggregate(): MongooseAggregate;
  find(): object;
}

/** The BSON types are those of the model's own Mongoose: those of another copy would not serialise. */
export interface MongooseInstance {
  readonly Types: {
    readonly Decimal128: { fromString(text: string): object };
    readonly ObjectId: new (hex: string) => object;
    readonly UUID: new (text: string) => object;
  };
  get(key: never): unknown;
}

interface MongooseAggregate {
  append(...stages: never[]): unknown;
  option(options: never): unknown;
  exec(): Promise<unknown[]>;
}

/** Runs a pipeline as the application would: its `pre('aggregate')` middleware and its discriminators apply. */
export async function runPipeline(
  model: MongooseModel,
  stages: readonly Document[],
  options: Readonly<Record<string, unknown>>,
): Promise<readonly Document[]> {
  const aggregate = model.aggregate();
  aggregate.append(...(stages as never[]));
  aggregate.option(options as never);
  return (await aggregate.exec()) as Document[];
}
