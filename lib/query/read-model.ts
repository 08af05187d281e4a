import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../common/index.js';
import { readClassProperties, type ClassProperty } from '../operations/schema/index.js';
import type { EnumValue, FieldKind } from './kinds/index.js';

/** A field that a row of a read model is read with. */
export interface ReadField {
  readonly name: string;
  /** Undefined where neither type nor decorators tell: lists, nested objects. Such a field can only be returned. */
  readonly kind: FieldKind | undefined;
  /** The values of an enum, also where `kind` is another. */
  readonly enumValues: readonly EnumValue[];
}

/** The fields of a read model, in the order of its declarations; what `@Exclude()` hides is none of them. */
export function readFieldsOf(readModel: Type): readonly ReadField[] {
  return readClassProperties(readModel)
    .filter((property) => !property.excluded)
    .map((property) => {
      const enumValues = enumValuesOf(property.schema);
      return Object.freeze({ name: property.name, kind: kindOf(property, enumValues), enumValues });
    });
}

const KINDS_BY_FORMAT: Readonly<Record<string, FieldKind>> = { uuid: 'uuid', date: 'date', 'date-time': 'datetime' };
const KINDS_BY_TYPE: Readonly<Record<string, FieldKind>> = { integer: 'int', number: 'number', boolean: 'boolean' };

const KINDS_BY_DESIGN = new Map<unknown, FieldKind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [BigInt, 'bigint'],
]);

function kindOf({ schema, designType }: ClassProperty, enumValues: readonly EnumValue[]): FieldKind | undefined {
  if (enumValues.length > 0) return 'enum';
  if (designType === Date) return 'datetime';
  const type = typeOf(schema);
  if (type === 'string') return (schema.format && own(KINDS_BY_FORMAT, schema.format)) || 'string';
  return type === undefined ? KINDS_BY_DESIGN.get(designType) : own(KINDS_BY_TYPE, type);
}

/** The one type of a schema besides null; undefined where it states none. */
function typeOf({ type }: JsonSchema): string | undefined {
  if (!Array.isArray(type)) return type;
  const types = type.filter((each) => each !== 'null');
  return types.length === 1 ? types[0] : 'any';
}

function enumValuesOf(schema: JsonSchema): readonly EnumValue[] {
  const listed = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const values = listed.filter((value): value is EnumValue => typeof value === 'string' || typeof value === 'number');
  return values.length === listed.filter((value) => value !== null).length ? Object.freeze(values) : [];
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
