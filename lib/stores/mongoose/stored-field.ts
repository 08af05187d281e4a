import { type QueryField } from '../../query/index.js';
import { isNumericEnum } from '../../query/kinds/field-kind.js';
import { type StorageFamily, type ValueCodec, codecOf } from './value-codec.js';
import type { MongooseModel } from './mongoose-model.js';

/** Where a field is kept, and how its operands are written there. */
export interface StoredField {
  /** A path of the schema, or a column of an aggregate: never made of what a caller sent. */
  readonly path: string;
  readonly family: StorageFamily;
  readonly codec: ValueCodec;
}

export type FieldResolver<Field extends QueryField = QueryField> = (field: Field) => StoredField;

/** Paths of the schema by the names of fields. */
export type FieldPaths = Readonly<Record<string, string>>;

const FAMILIES: Readonly<Record<string, StorageFamily>> = {
  String: 'text',
  Number: 'number',
  Double: 'number',
  Int32: 'number',
  BigInt: 'long',
  Decimal128: 'decimal',
  Boolean: 'boolean',
  Date: 'moment',
  ObjectId: 'objectId',
  UUID: 'uuid',
};

const KINDS: Readonly<Record<QueryField['kind'], readonly StorageFamily[]>> = {
  string: ['text', 'objectId'],
  uuid: ['uuid', 'text'],
  enum: ['text'],
  int: ['number'],
  bigint: ['long'],
  number: ['number'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  date: ['text', 'moment'],
  datetime: ['moment'],
};

/** Finds the path of a field: what `paths` says, its own name, or `_id` for an `id` that is only Mongoose's virtual. */
export function pathFinder(model: MongooseModel, paths: FieldPaths): (name: string) => string {
  const isIdVirtual = model.schema.path('id') === undefined;
  return (name) => {
    if (Object.hasOwn(paths, name)) return paths[name] as string;
    return name === 'id' && isIdVirtual ? '_id' : name;
  };
}

/**
 * Finds where a field is kept.
 * @throws TypeError from the finder, where the schema has no such path or one that does not compare as the kind does
 */
export function fieldResolver(model: MongooseModel, paths: FieldPaths): FieldResolver {
  const pathOf = pathFinder(model, paths);
  return (field) => {
    const path = pathOf(field.name);
    const instance = isPath(path) ? model.schema.path(path)?.instance : undefined;
    if (instance === undefined) {
      throw new TypeError(
        `The schema of ${model.modelName} has no path for "${field.name}". Name it in \`paths\`, or leave the field out of the policy.`,
      );
    }
    const family = Object.hasOwn(FAMILIES, instance) ? FAMILIES[instance] : undefined;
    const families = isNumericEnum(field) ? (['number'] as const) : KINDS[field.kind];
    if (family !== undefined && families.includes(family)) {
      return { path, family, codec: codecOf(family, model.base.Types) };
    }
    throw new TypeError(
      `"${field.name}" is kept as ${instance}, which does not compare as ${field.kind} does. State its kind in the policy, or leave it out.`,
    );
  };
}

/** Operators, and numerals, which JavaScript would sort before other keys, are no paths. */
function isPath(path: string): boolean {
  return path !== '' && !path.startsWith('$') && !/^\d/.test(path);
}
