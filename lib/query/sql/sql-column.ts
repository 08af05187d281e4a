import { isNumericEnum, type QueryField } from '../kinds/field-kind.js';

/** `mysql` is MariaDB, too. */
export type SqlDialect = 'sqlite' | 'postgres' | 'mysql';

/**
 * How a column holds its values.
 * - `text`: any character type
 * - `label`: the database's own enum type; it sorts by declaration, and so is read as text
 * - `uuid`: the database's own type
 * - `integer`: 64 bits at most; `real`: double precision; `numeric`: exact decimals, on SQLite integers and doubles
 * - `datetime`: a moment; `zone` says how. On SQLite it is text as `2024-02-29 12:00:00.000`, in UTC
 * - `epochMs`, `epochSeconds`: a moment as a number
 */
export type ColumnStorage =
  | 'text'
  | 'label'
  | 'uuid'
  | 'integer'
  | 'real'
  | 'numeric'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'epochMs'
  | 'epochSeconds';

/** A column that a field of a read model is kept in. */
export interface SqlColumn {
  /** The column as it stands in statements, quoted. Never made of what a caller sent. */
  readonly sql: string;
  readonly storage: ColumnStorage;
  /**
   * Of a `datetime`: `stored` where the column knows the zone (PostgreSQL's `timestamptz`), otherwise the zone in which
   * the driver writes and reads wall-clock time. Default: `utc`.
   */
  readonly zone?: 'stored' | 'utc' | 'local';
  /**
   * True for text under a collation of its own, or of a type that folds case or drops spaces (`citext`, `char`): it is
   * then compared in binary, past any index. Default: false.
   */
  readonly isCollated?: boolean;
}

const NUMBERS: readonly ColumnStorage[] = ['integer', 'real', 'numeric'];
const EXACT_NUMBERS: readonly ColumnStorage[] = ['integer', 'numeric'];
const TEXTS: readonly ColumnStorage[] = ['text', 'label'];

const STORAGES: Readonly<Record<QueryField['kind'], readonly ColumnStorage[]>> = {
  string: TEXTS,
  uuid: ['uuid', 'text'],
  enum: TEXTS,
  int: NUMBERS,
  bigint: EXACT_NUMBERS,
  number: NUMBERS,
  decimal: EXACT_NUMBERS,
  boolean: ['boolean'],
  date: ['date'],
  datetime: ['datetime', 'epochMs', 'epochSeconds'],
};

/** The storages in which values of a field compare, sort and group as its kind says. */
export function storagesOf(field: QueryField, dialect?: SqlDialect): readonly ColumnStorage[] {
  // SQLite keeps no decimal as anything but a double, and is not asked to add them up.
  if (dialect === 'sqlite' && field.kind === 'decimal') return NUMBERS;
  return isNumericEnum(field) ? NUMBERS : STORAGES[field.kind];
}

/** Quotes an identifier that the application declared. */
export function quoteIdentifier(name: string, dialect: SqlDialect): string {
  const quote = dialect === 'mysql' ? '`' : '"';
  return quote + name.replaceAll(quote, quote + quote) + quote;
}
