import { getTableColumns, getTableName, sql, type Column, type Table } from 'drizzle-orm';
import { BootFaults } from '../../common/index.js';
import { QueryError, type QueryField, type ResolvedQueryPolicy } from '../../query/index.js';
import { storagesOf, type SqlColumn, type SqlContext, type SqlDialect } from '../../query/sql/index.js';
import { columnStorage } from './column-storage.js';
import type { ResolvedDrizzleOptions } from './drizzle-query-executor.options.js';

/** One read field and its column. */
export interface FieldColumn {
  readonly name: string;
  readonly column: Column;
  /** Absent where the field's kind is not known, or its column does not compare so: it can then only be returned. */
  readonly known?: { readonly field: QueryField; readonly sqlColumn: SqlColumn };
}

export type FieldColumns = ReadonlyMap<string, FieldColumn>;

/** What is mapped, and how its columns are written. */
export interface ColumnMapping {
  readonly policy: ResolvedQueryPolicy;
  readonly table: Table;
  readonly dialect: SqlDialect;
  readonly options: ResolvedDrizzleOptions;
  readonly textOf: (column: ReturnType<typeof sql>) => string;
}

const STORE = 'DrizzleQueryExecutor';

/**
 * The column of each field of a read model.
 * @throws PaletteBootError with every field that has none, and every column that cannot do what the policy allows
 */
export function fieldColumns(mapping: ColumnMapping): FieldColumns {
  const { policy, options } = mapping;
  const faults = new BootFaults();
  const found = new Map<string, FieldColumn>();
  for (const name of policy.readFields) {
    const isAllowed = isAsked(policy, name);
    if (options.computed.includes(name) && !isAllowed) continue;
    const column = columnOf(name, mapping);
    if (column === undefined) addUnmapped(faults, name, mapping);
    else {
      const known = knownColumn(name, column, mapping);
      if (known === undefined && isAllowed) addUnsupported(faults, name, column, mapping);
      found.set(name, { name, column, ...(known && { known }) });
    }
  }
  faults.throwIfAny();
  return found;
}

/** The columns for the renderer of plans. */
export function sqlContext(columns: FieldColumns, dialect: SqlDialect): SqlContext {
  return {
    dialect,
    /** @throws QueryError `query_unsupported_by_store` for a field that no column holds as its kind */
    columnOf: ({ name }) => {
      const known = columns.get(name)?.known;
      if (known !== undefined) return known.sqlColumn;
      const allowed = [...columns.values()].filter((each) => each.known !== undefined).map((each) => each.name);
      throw new QueryError([{ code: 'query_unsupported_by_store', pointer: '', field: name, allowed }]);
    },
  };
}

/** A column of another table is none: it would stand in a statement that does not read from there. */
function columnOf(name: string, { table, options }: ColumnMapping): Column | undefined {
  const columns = getTableColumns(table);
  const column = options.columns.get(name) ?? (Object.hasOwn(columns, name) ? columns[name] : undefined);
  return column?.table === table ? column : undefined;
}

function knownColumn(
  name: string,
  column: Column,
  { policy, dialect, textOf }: ColumnMapping,
): FieldColumn['known'] | undefined {
  const field = Object.hasOwn(policy.fields, name) ? policy.fields[name] : undefined;
  const storage = field && columnStorage(column, field);
  if (field === undefined || storage === undefined) return undefined;
  if (!storagesOf(field, dialect).includes(storage.storage)) return undefined;
  return { field, sqlColumn: { sql: textOf(sql`${column}`), ...storage } };
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

function addUnmapped(faults: BootFaults, field: string, { policy, table, options }: ColumnMapping): void {
  const readModel = policy.readModel.name;
  const column = options.columns.get(field)?.name ?? field;
  faults.add('query_store_field_unmapped', { store: STORE, readModel, field, entity: getTableName(table), column });
}

function addUnsupported(faults: BootFaults, field: string, column: Column, { policy }: ColumnMapping): void {
  faults.add('query_store_column_unsupported', {
    store: STORE,
    readModel: policy.readModel.name,
    field,
    kind: policy.fields[field]?.kind ?? 'unknown',
    type: column.getSQLType(),
    what: 'the store would order, fold or round it in another way',
    repair: 'State another kind, change the column, or take the field out of the policy.',
  });
}
