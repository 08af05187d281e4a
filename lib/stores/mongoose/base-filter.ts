import type { MongooseModel, Document } from './mongoose-model.js';

const COMBINATORS = ['$and', '$or', '$nor'];

/**
 * The application's own filter, cast by Mongoose as `find` casts it. Nothing is dropped on the way: a path that the schema
 * has not stays a condition, whatever `strictQuery` says, and what would stand for every document by accident is refused.
 * @throws TypeError where it holds `undefined`, or combines nothing
 */
export function baseFilter(model: MongooseModel, base: object): Document {
  const copy = copyOf(base, 'base') as Document;
  const query = model.find() as FilterQuery;
  if (isSanitizing(model)) (model.base as unknown as Sanitizer).sanitizeFilter(copy);
  return query.setOptions({ strictQuery: false }).cast(model, copy);
}

interface FilterQuery {
  setOptions(options: object): FilterQuery;
  cast(model: object, filter: object): Document;
}

interface Sanitizer {
  sanitizeFilter(filter: object): object;
}

function isSanitizing({ base, db }: MongooseModel): boolean {
  return Boolean(db.get('sanitizeFilter') ?? base.get('sanitizeFilter' as never));
}

/** Casting writes into what it is given. */
function copyOf(value: unknown, where: string): unknown {
  if (value === undefined) {
    throw new TypeError(`The base of a query holds undefined at ${where}, which some settings read as no condition.`);
  }
  if (Array.isArray(value)) return value.map((element, index) => copyOf(element, `${where}.${index}`));
  if (!isPlain(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<PropertyKey, unknown>;
  for (const key of Reflect.ownKeys(value)) {
    const element = Reflect.get(value, key) as unknown;
    refuseEmptyCombinator(key, element, where);
    // Symbols mark what the application trusts.
    const copied = typeof key === 'symbol' ? element : copyOf(element, `${where}.${key}`);
    Object.defineProperty(copy, key, { value: copied, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function refuseEmptyCombinator(key: PropertyKey, value: unknown, where: string): void {
  if (COMBINATORS.includes(String(key)) && Array.isArray(value) && value.length === 0) {
    throw new TypeError(
      `The base of a query combines nothing at ${where}.${String(key)}, which Mongoose drops: pass {} for every document.`,
    );
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}
