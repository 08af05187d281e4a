import { BootFaults } from '../../common/index.js';
import { QueryError, type QueryField, type ResolvedQueryPolicy } from '../../query/index.js';
import { storagesOf, type SqlColumn } from '../../query/sql/index.js';
import { columnOf, quotedColumn } from './column-storage.js';
import type { PostgresColumns } from './postgres-columns.js';
import type { PrismaField, PrismaModel } from './prisma-client.js';
import type { ResolvedPrismaOptions } from './prisma-query-executor.options.js';

/** One read field and its column. */
export interface FieldColumn {
  readonly name: string;
  /** The column as it stands in statements. */
  readonly sql: string;
  /** Absent where the field's kind is not known, or its column does not compare so: it can then only be returned. */
  readonly known?: { readonly field: QueryField; readonly column: SqlColumn };
}

export type FieldColumns = ReadonlyMap<string, FieldColumn>;

export interface ColumnMapping {
  readonly policy: ResolvedQueryPolicy;
  readonly model: PrismaModel;
  readonly options: ResolvedPrismaOptions;
}

const STORE = 'PrismaQueryExecutor';

/** @throws PaletteBootError `query_store_field_unmapped` with every field that the model does not have */
export function checkMapped(mapping: ColumnMapping): void {
  const { policy, model } = mapping;
  const faults = new BootFaults();
  for (const name of policy.readFields) {
    if (isComputed(name, mapping) || modelField(name, mapping) !== undefined) continue;
    const column = mapping.options.columns.get(name) ?? name;
    const readModel = policy.readModel.name;
    faults.add('query_store_field_unmapped', { store: STORE, readModel, field: name, entity: model.name, column });
  }
  faults.throwIfAny();
}

/**
 * The column of each field of a read model.
 * @param catalogue how PostgreSQL keeps the columns; on SQLite Prisma's types say it
 * @throws PaletteBootError `query_store_column_unsupported` with every column that cannot do what the policy allows
 */
export function fieldColumns(mapping: ColumnMapping, catalogue?: PostgresColumns): FieldColumns {
  const { policy, model } = mapping;
  const faults = new BootFaults();
  const found = new Map<string, FieldColumn>();
  for (const name of policy.readFields) {
    const from = modelField(name, mapping);
    if (from === undefined) continue;
    const field = Object.hasOwn(policy.fields, name) ? policy.fields[name] : undefined;
    const column = field && columnOf(from, field, catalogue);
    const isKnown = column !== undefined && storagesOf(field as QueryField, model.dialect).includes(column.storage);
    if (!isKnown && isAsked(policy, name)) addUnsupported(faults, name, from, policy);
    const sql = quotedColumn(from, model.dialect);
    found.set(name, { name, sql, ...(isKnown && field && { known: { field, column } }) });
  }
  faults.throwIfAny();
  return found;
}

/** @throws QueryError `query_unsupported_by_store` for a field that no column holds as its kind */
export function columnFinder(columns: FieldColumns): (field: QueryField) => SqlColumn {
  return ({ name }) => {
    const known = columns.get(name)?.known;
    if (known !== undefined) return known.column;
    const allowed = [...columns.values()].filter((each) => each.known !== undefined).map((each) => each.name);
    throw new QueryError([{ code: 'query_unsupported_by_store', pointer: '', field: name, allowed }]);
  };
}

function modelField(name: string, { model, options }: ColumnMapping): PrismaField | undefined {
  return model.fields.get(options.columns.get(name) ?? name);
}

function isComputed(name: string, { policy, options }: ColumnMapping): boolean {
  return options.computed.includes(name) && !isAsked(policy, name);
}

/** Whether the policy lets callers filter, sort or aggregate by a field. */
function isAsked(policy: ResolvedQueryPolicy, name: string): boolean {
  const { filterable, sortable, aggregatable, defaultSort, tieBreaker } = policy;
  return (
    [filterable, sortable, aggregatable].some((axis) => Object.hasOwn(axis, name)) ||
    tieBreaker?.name === name ||
    defaultSort.some(({ field }) => field.name === name)
  );
}

function addUnsupported(faults: BootFaults, field: string, { type }: PrismaField, policy: ResolvedQueryPolicy): void {
  faults.add('query_store_column_unsupported', {
    store: STORE,
    readModel: policy.readModel.name,
    field,
    kind: policy.fields[field]?.kind ?? 'unknown',
    type,
    what: 'the store would order, fold, name or round its values in another way',
    repair: 'State another kind, change the column, or take the field out of the policy.',
  });
}
