import { is, type Column } from 'drizzle-orm';
import { PgTimestamp, PgTimestampString } from 'drizzle-orm/pg-core';
import { SQLiteTimestamp } from 'drizzle-orm/sqlite-core';
import type { QueryField } from '../../query/index.js';
import type { ColumnStorage, SqlColumn } from '../../query/sql/index.js';

type StoredAs = Omit<SqlColumn, 'sql'>;

/**
 * How a column holds its values; undefined where it is of a type whose values do not compare as the language does: single
 * precision, whose numbers print as others than they are, `json`, arrays, types of the application's own.
 */
export function columnStorage(column: Column, { kind }: QueryField): StoredAs | undefined {
  if (is(column, SQLiteTimestamp)) return { storage: column.mode === 'timestamp' ? 'epochSeconds' : 'epochMs' };
  if (is(column, PgTimestamp) || is(column, PgTimestampString)) {
    return { storage: 'datetime', zone: column.withTimezone ? 'stored' : 'utc' };
  }
  const storage = Object.hasOwn(STORAGES, column.columnType) ? STORAGES[column.columnType] : undefined;
  if (storage === undefined) return undefined;
  // SQLite has no type of its own for dates: they are text.
  if (column.columnType === 'SQLiteText' && kind === 'date') return { storage: 'date' };
  return column.columnType === 'PgChar' ? { storage, isCollated: true } : { storage };
}

/** By Drizzle's own names of column types. */
const STORAGES: Readonly<Record<string, ColumnStorage>> = {
  SQLiteText: 'text',
  SQLiteInteger: 'integer',
  SQLiteBoolean: 'boolean',
  SQLiteReal: 'real',
  SQLiteNumeric: 'numeric',
  SQLiteNumericNumber: 'numeric',
  SQLiteNumericBigInt: 'numeric',
  PgText: 'text',
  PgVarchar: 'text',
  PgChar: 'text',
  PgEnumColumn: 'label',
  PgEnumObjectColumn: 'label',
  PgUUID: 'uuid',
  PgSmallInt: 'integer',
  PgInteger: 'integer',
  PgBigInt53: 'integer',
  PgBigInt64: 'integer',
  PgSmallSerial: 'integer',
  PgSerial: 'integer',
  PgBigSerial53: 'integer',
  PgBigSerial64: 'integer',
  PgDoublePrecision: 'real',
  PgNumeric: 'numeric',
  PgNumericNumber: 'numeric',
  PgNumericBigInt: 'numeric',
  PgBoolean: 'boolean',
  PgDate: 'date',
  PgDateString: 'date',
  MySqlText: 'text',
  MySqlVarChar: 'text',
  MySqlChar: 'text',
  MySqlEnumColumn: 'label',
  MySqlEnumObjectColumn: 'label',
  MySqlTinyInt: 'integer',
  MySqlSmallInt: 'integer',
  MySqlMediumInt: 'integer',
  MySqlInt: 'integer',
  MySqlBigInt53: 'integer',
  MySqlBigInt64: 'integer',
  MySqlSerial: 'integer',
  MySqlDouble: 'real',
  MySqlReal: 'real',
  MySqlDecimal: 'numeric',
  MySqlDecimalNumber: 'numeric',
  MySqlDecimalBigInt: 'numeric',
  MySqlBoolean: 'boolean',
  MySqlDate: 'date',
  MySqlDateString: 'date',
  // Drizzle writes moments as the clock shows them in UTC, and reads them so.
  MySqlDateTime: 'datetime',
  MySqlDateTimeString: 'datetime',
  MySqlTimestamp: 'datetime',
  MySqlTimestampString: 'datetime',
};
