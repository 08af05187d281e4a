import type { Type } from '@nestjs/common';
import { FIELD_KINDS, functionsOf, operatorsOf, type FieldKind, type QueryField } from '../kinds/index.js';
import { readFieldsOf, type ReadField } from '../read-model.js';
import type { PolicyCheck } from './policy-check.js';
import { DEFAULT_LIMITS, DEFAULT_MAX_SIZE, type QueryPolicyAxes } from './query-policy.options.js';
import { fieldTable, type FieldTable, type ResolvedQueryPolicy } from './resolved-query-policy.js';

/** The policy under which every read field is open: what `@QueryPolicy` narrows. */
export function openPolicy(
  readModel: Type,
  kinds: QueryPolicyAxes<string>['kinds'],
  check: PolicyCheck,
): ResolvedQueryPolicy {
  const readFields = readFieldsOf(readModel);
  const fields = fieldsOfKnownKind(readFields, kinds ?? {}, check);
  const all = Object.values(fields);
  const tieBreaker = Object.hasOwn(fields, 'id') ? fields['id'] : undefined;
  return Object.freeze({
    readModel,
    isDeclared: false,
    declaredAxes: Object.freeze([]),
    readFields: Object.freeze(readFields.map((field) => field.name)),
    fields,
    filterable: fieldTable(all.map((field) => [field.name, { field, operators: operatorsOf(field.kind) }])),
    sortable: fieldTable(all.map((field) => [field.name, { field }])),
    aggregatable: fieldTable(
      all.map((field) => [field.name, { field, isGroup: true, functions: functionsOf(field.kind) }]),
    ),
    ...(tieBreaker === undefined ? {} : { tieBreaker }),
    defaultSort: Object.freeze([]),
    maxSize: DEFAULT_MAX_SIZE,
    zone: 'UTC',
    limits: DEFAULT_LIMITS,
  });
}

function fieldsOfKnownKind(
  readFields: readonly ReadField[],
  kinds: object,
  check: PolicyCheck,
): FieldTable<QueryField> {
  const names = readFields.map((field) => field.name);
  for (const name of Object.keys(kinds)) if (!names.includes(name)) check.unknownField('kinds', name, names);
  return fieldTable(
    readFields.flatMap((field) => {
      const kind = kindOf(field, kinds, check);
      return kind === undefined ? [] : [[field.name, queryField(field, kind)] as const];
    }),
  );
}

function kindOf(field: ReadField, kinds: object, check: PolicyCheck): FieldKind | undefined {
  const stated: unknown = Object.hasOwn(kinds, field.name) ? Reflect.get(kinds, field.name) : undefined;
  if (stated === undefined) return field.kind;
  const kind = FIELD_KINDS.find((known) => known === stated);
  if (kind === undefined) check.unknownKind(field.name, `is none that there is ("${String(stated)}")`);
  if (kind !== 'enum' || field.enumValues.length > 0) return kind;
  check.unknownKind(field.name, 'is enum, but its values are not on the read model (@IsEnum, @IsIn)');
  return undefined;
}

function queryField(field: ReadField, kind: FieldKind): QueryField {
  return Object.freeze({
    name: field.name,
    kind,
    enumValues: Object.freeze(kind === 'enum' ? [...field.enumValues] : []),
  });
}
