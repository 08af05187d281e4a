import type { FieldKind, QueryField } from '../../query/index.js';
import { quoteIdentifier, type SqlColumn, type SqlDialect } from '../../query/sql/index.js';
import type { PostgresColumns } from './postgres-columns.js';
import type { PrismaField, PrismaModel } from './prisma-client.js';

/** What the rows within the scope are called in statements. */
export const ROWS = 'rows';

export function quotedColumn({ column }: PrismaField, dialect: SqlDialect): string {
  return `${quoteIdentifier(ROWS, dialect)}.${quoteIdentifier(column, dialect)}`;
}

/** How a field of a model is kept, to be compared as `asked`; undefined where its values have no order or equality here. */
export function columnOf(
  field: PrismaField,
  asked: QueryField,
  catalogue: PostgresColumns | undefined,
): SqlColumn | undefined {
  return catalogue === undefined ? onSqlite(field, asked.kind) : onPostgres(field, asked, catalogue);
}

function onPostgres(field: PrismaField, asked: QueryField, catalogue: PostgresColumns): SqlColumn | undefined {
  const found = catalogue.get(field.column);
  if (found === undefined) return undefined;
  const { labels, ...column } = found;
  // An enum whose values go by other names in the database would never match.
  const isRenamed = labels !== undefined && !asked.enumValues.every((value) => labels.includes(String(value)));
  return isRenamed ? undefined : { sql: quotedColumn(field, 'postgres'), ...column };
}

function onSqlite(field: PrismaField, kind: FieldKind): SqlColumn | undefined {
  const sql = quotedColumn(field, 'sqlite');
  if (field.isEnum) return { sql, storage: 'text' };
  switch (field.type) {
    case 'String':
      return { sql, storage: kind === 'date' ? 'date' : 'text' };
    case 'Int':
    case 'BigInt':
      return { sql, storage: 'integer' };
    case 'Float':
      return { sql, storage: 'real' };
    case 'Boolean':
      return { sql, storage: 'boolean' };
    case 'Decimal':
      // Prisma reads a column by its first value: an integer there would cut the fractions off the others.
      return kind === 'decimal' ? { sql, storage: 'numeric' } : { sql: `CAST(${sql} AS REAL)`, storage: 'real' };
    case 'DateTime':
      return { sql: sqliteMoment(sql), storage: 'datetime' };
    default:
      return undefined;
  }
}

/** In the one form that sorts, from either of the two in which Prisma's driver adapter writes moments. */
function sqliteMoment(column: string): string {
  const form = `'%Y-%m-%d %H:%M:%f'`;
  const ofNumber = `strftime(${form}, ${column} / 1000.0, 'unixepoch')`;
  return `CASE typeof(${column}) WHEN 'integer' THEN ${ofNumber} ELSE strftime(${form}, ${column}) END`;
}

/** The fields of a model as the application's own conditions compare them. */
export function scopeFields({ fields }: PrismaModel, catalogue?: PostgresColumns): ReadonlyMap<string, QueryField> {
  return new Map(
    [...fields.values()].flatMap((field) => {
      const kind = scopeKind(field, catalogue);
      return kind === undefined
        ? []
        : [[field.name, Object.freeze({ name: field.name, kind, enumValues: [] })] as const];
    }),
  );
}

function scopeKind({ column, type, isEnum }: PrismaField, catalogue?: PostgresColumns): FieldKind | undefined {
  const storage = catalogue?.get(column)?.storage;
  if (catalogue !== undefined && storage === undefined) return undefined;
  if (storage === 'uuid' || storage === 'date') return storage;
  if (isEnum) return 'string';
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

const KINDS: Readonly<Record<string, FieldKind>> = Object.freeze({
  String: 'string',
  Int: 'int',
  BigInt: 'bigint',
  Float: 'number',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'datetime',
});
