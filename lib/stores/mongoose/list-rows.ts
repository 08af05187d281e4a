import { readingOf, type ListPlan, type ListReading, type ListResult } from '../../query/index.js';
import type { Document, MongooseModel } from './mongoose-model.js';
import { plainValue } from './plain-values.js';
import { pathFinder, type FieldPaths } from './stored-field.js';

/** Makes rows of documents: plain values, under the names of the read model. */
export class RowReader {
  readonly #pathOf: (name: string) => string;
  /** Names of the read model that are no paths of the schema. */
  readonly #renamed: readonly string[];

  constructor(
    private readonly model: MongooseModel,
    paths: FieldPaths,
  ) {
    this.#pathOf = pathFinder(model, paths);
    this.#renamed = [...Object.keys(paths), 'id'].filter((name) => this.#pathOf(name) !== name);
  }

  /** Reads nothing but what rows may hold and what they were sorted by; undefined where there is no such limit. */
  projection({ returnable }: ListPlan, { sorts }: ListReading): Document | undefined {
    if (returnable === undefined) return undefined;
    const names = [...returnable, ...sorts.map(({ field }) => field.name)];
    const paths = withoutInner(names.map((name) => this.#pathOf(name)));
    return { _id: 0, ...Object.fromEntries(paths.map((path) => [path, 1])) };
  }

  row(document: Document, returnable: ListPlan['returnable']): Document {
    const plain = plainValue(document) as Document;
    if (returnable !== undefined) return this.#pick(plain, returnable);
    const own = Object.entries(plain).map(([path, value]) => [path, this.#exact(path, value)]);
    return { ...Object.fromEntries(own), ...this.#pick(plain, this.#renamed) };
  }

  /** The sort keys of the first row and the last, which rows do not hold where they may not. */
  edges(plan: ListPlan, documents: readonly Document[]): Pick<ListResult<Document>, 'edges'> {
    const first = documents[0];
    const last = documents[documents.length - 1];
    if (plan.paging.kind !== 'cursor' || first === undefined || last === undefined) return {};
    const names = readingOf(plan).sorts.map(({ field }) => field.name);
    const keysOf = (document: Document) => this.#pick(plainValue(document) as Document, names);
    return { edges: { first: keysOf(first), last: keysOf(last) } };
  }

  #pick(plain: Document, names: readonly string[]): Document {
    const found = names.map((name) => {
      const path = this.#pathOf(name);
      return [name, this.#exact(path, valueAt(plain, path))] as const;
    });
    return Object.fromEntries(found.filter(([, value]) => value !== undefined));
  }

  /** The driver reads small 64-bit integers as numbers. */
  #exact(path: string, value: unknown): unknown {
    return typeof value === 'number' && this.model.schema.path(path)?.instance === 'BigInt' ? String(value) : value;
  }
}

function valueAt(document: Document, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined),
      document,
    );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** MongoDB refuses to project both a path and one inside it. */
function withoutInner(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((outer) => path.startsWith(`${outer}.`)));
}
