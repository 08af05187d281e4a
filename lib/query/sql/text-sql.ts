import { rawSql, sql, type SqlText } from './sql-text.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';

/** Text as text, one character a code point, for patterns. */
export function textIn(column: SqlColumn, dialect: SqlDialect): SqlText {
  if (dialect === 'mysql') return rawSql(`CONVERT(${column.sql} USING utf8mb4) COLLATE utf8mb4_bin`);
  return orderedText(column, dialect);
}

/** Text that is equal in every byte or not at all, in the column's own form where an index can serve it. */
export function exactText(column: SqlColumn, dialect: SqlDialect): SqlText {
  if (dialect === 'postgres' && column.storage === 'text' && !column.isCollated) return rawSql(column.sql);
  return orderedText(column, dialect);
}

/** Text that sorts by code point, as its bytes in UTF-8 do. */
export function orderedText(column: SqlColumn, dialect: SqlDialect): SqlText {
  return inBinary(rawSql(column.sql), dialect, column.storage === 'label' || column.isCollated === true);
}

/** `a` for `A`, so that one UUID has one form. */
export function loweredText(column: SqlColumn, dialect: SqlDialect): SqlText {
  const text = rawSql(column.sql);
  return inBinary(
    dialect === 'mysql' ? sql`LOWER(CONVERT(${text} USING utf8mb4))` : sql`lower(${text})`,
    dialect,
    column.isCollated === true,
  );
}

/** A text operand, in the form that `exactText` and its like compare with. */
export function textOperand(value: string, dialect: SqlDialect): SqlText {
  return dialect === 'mysql' ? sql`CAST(CONVERT(${value} USING utf8mb4) AS BINARY)` : sql`${value}`;
}

/** MySQL's own binary collation still passes over spaces at the end: bytes do not. */
function inBinary(text: SqlText, dialect: SqlDialect, isCast: boolean): SqlText {
  if (dialect === 'sqlite') return sql`${text} COLLATE BINARY`;
  if (dialect === 'postgres') return isCast ? sql`CAST(${text} AS text) COLLATE "C"` : sql`${text} COLLATE "C"`;
  return sql`CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
}
