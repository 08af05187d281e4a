import type { EntityMetadata } from 'typeorm';
import { BootFaults } from '../../common/index.js';
import type { QueryField, ResolvedQueryPolicy } from '../../query/index.js';
import { quoteIdentifier, storagesOf, type SqlColumn, type SqlDialect } from '../../query/sql/index.js';
import { columnStorage, type ColumnMetadata } from './column-storage.js';
import type { ResolvedTypeOrmOptions } from './typeorm-query-executor.options.js';

/** The derived table that holds what the application lets the caller see. */
export const SCOPE = 'scope';

/** One read field and its column. */
export interface FieldColumn {
  readonly name: string;
  readonly metadata: ColumnMetadata;
  /** Its name in the scope: `f0`, `f1`, ... */
  readonly alias: string;
  /** Absent where the field's kind is not known: it can then only be returned. */
  readonly known?: { readonly field: QueryField; readonly column: SqlColumn };
}

const STORE = 'TypeOrmQueryExecutor';

/**
 * The column of each field of a read model.
 * @throws PaletteBootError with every field that has none, and every column that cannot do what the policy allows
 */
export function fieldColumns(
  policy: ResolvedQueryPolicy,
  entity: EntityMetadata,
  dialect: SqlDialect,
  options: ResolvedTypeOrmOptions,
): ReadonlyMap<string, FieldColumn> {
  const faults = new BootFaults();
  const readModel = policy.readModel.name;
  const found = new Map<string, FieldColumn>();
  for (const [index, name] of policy.readFields.entries()) {
    if (options.computed.includes(name) && !isAsked(policy, name)) continue;
    const path = options.columns.get(name) ?? name;
    const metadata = entity.findColumnWithPropertyPath(path);
    if (metadata === undefined || metadata.isVirtualProperty) {
      faults.add('query_store_field_unmapped', {
        store: STORE,
        readModel,
        field: name,
        entity: entity.name,
        column: path,
      });
      continue;
    }
    const place = { name, metadata, alias: `f${index}` };
    const field = Object.hasOwn(policy.fields, name) ? policy.fields[name] : undefined;
    const column = field && sqlColumn(place, field, dialect, options);
    if (typeof column === 'object') found.set(name, { ...place, known: { field: field as QueryField, column } });
    else if (field === undefined || !isAsked(policy, name)) found.set(name, place);
    else {
      const [what, repair] = COMPLAINTS[column ?? 'type'];
      const facts = { store: STORE, readModel, field: name, kind: field.kind, type: String(typeName(metadata)) };
      faults.add('query_store_column_unsupported', { ...facts, what, repair });
    }
  }
  faults.throwIfAny();
  return found;
}

type Complaint = 'type' | 'transformer';

const COMPLAINTS: Readonly<Record<Complaint, readonly [what: string, repair: string]>> = {
  type: [
    'the store would order, fold or round it in another way',
    'State another kind, change the column, or take the field out of the policy.',
  ],
  transformer: [
    'its transformer is unknown to the database',
    'List the field in `storedAsIs` where the column holds values of the kind, or take it out of the policy.',
  ],
};

function sqlColumn(
  { name, metadata, alias }: Omit<FieldColumn, 'known'>,
  field: QueryField,
  dialect: SqlDialect,
  options: ResolvedTypeOrmOptions,
): SqlColumn | Complaint {
  if (metadata.transformer !== undefined && !options.storedAsIs.includes(name)) return 'transformer';
  const storage = columnStorage(metadata, field, dialect, metadata.entityMetadata.dataSource);
  if (storage === undefined || !storagesOf(field, dialect).includes(storage.storage)) return 'type';
  return { sql: `${quoteIdentifier(SCOPE, dialect)}.${quoteIdentifier(alias, dialect)}`, ...storage };
}

/** Whether the policy lets callers filter, sort or aggregate by a field. */
function isAsked(
  { filterable, sortable, aggregatable, defaultSort, tieBreaker }: ResolvedQueryPolicy,
  name: string,
): boolean {
  return (
    [filterable, sortable, aggregatable].some((axis) => Object.hasOwn(axis, name)) ||
    tieBreaker?.name === name ||
    defaultSort.some(({ field }) => field.name === name)
  );
}

function typeName({ type }: ColumnMetadata): string {
  return typeof type === 'function' ? type.name : type;
}
