import type { QueryField } from '../kinds/index.js';
import { orderedMoment } from './moment-sql.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';
import { rawSql, type SqlText } from './sql-text.js';

/** A column as it is selected, so that no driver rounds it, shifts its zone or makes an object of it. `decodeValue` reads it. */
export function outputSql(field: QueryField, column: SqlColumn, dialect: SqlDialect): SqlText {
  switch (column.storage) {
    case 'integer':
    case 'numeric':
      return field.kind === 'bigint' || field.kind === 'decimal'
        ? exactNumber(column.sql, dialect)
        : rawSql(column.sql);
    case 'label':
    case 'uuid':
      return dialect === 'postgres' ? rawSql(`CAST(${column.sql} AS text)`) : rawSql(column.sql);
    case 'date':
      return dateText(column.sql, dialect);
    case 'datetime':
      return momentText(column, dialect);
    default:
      return rawSql(column.sql);
  }
}

/** SQLite's text of a double has fewer digits than the double. */
function exactNumber(column: string, dialect: SqlDialect): SqlText {
  if (dialect === 'sqlite') {
    return rawSql(`CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE ${column} END`);
  }
  return rawSql(`CAST(${column} AS ${dialect === 'postgres' ? 'text' : 'CHAR'})`);
}

function dateText(column: string, dialect: SqlDialect): SqlText {
  if (dialect === 'sqlite') return rawSql(column);
  return rawSql(dialect === 'postgres' ? `to_char(${column}, 'YYYY-MM-DD')` : `DATE_FORMAT(${column}, '%Y-%m-%d')`);
}

/** Without colons before letters: query builders take those for parameters. */
function momentText(column: SqlColumn, dialect: SqlDialect): SqlText {
  if (dialect === 'sqlite') return orderedMoment(column, dialect);
  if (dialect === 'mysql') return rawSql(`DATE_FORMAT(${column.sql}, '%Y-%m-%d %H.%i.%s.%f')`);
  const moment = column.zone === 'stored' ? `${column.sql} AT TIME ZONE 'UTC'` : column.sql;
  return rawSql(`to_char(${moment}, 'YYYY-MM-DD HH24.MI.SS.US')`);
}
