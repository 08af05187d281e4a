import type { SortKey } from '../ast.js';
import type { QueryField } from '../kinds/index.js';
import { comparableOf } from './comparable-sql.js';
import type { SqlContext } from './filter-sql.js';
import { joinSql, rawSql, sql, type SqlText } from './sql-text.js';

/** ` ORDER BY ...`, nulls where the plan wants them; nothing where it states no order. */
export function orderSql<Field extends QueryField>(
  sorts: readonly SortKey<Field>[],
  context: SqlContext<Field>,
): SqlText {
  if (sorts.length === 0) return rawSql('');
  return sql` ORDER BY ${joinSql(
    sorts.map((sort) => sortSql(sort, context)),
    ', ',
  )}`;
}

/**
 * ` LIMIT ... OFFSET ...`. The numbers stand in the text: drivers differ in what they bind there, and a negative limit is
 * "all rows" on SQLite.
 * @throws RangeError for a limit below 1, or an offset below 0
 */
export function limitSql(limit: number, offset: number): SqlText {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('A plan reads no rows.');
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError('A plan begins before the first row.');
  return rawSql(` LIMIT ${limit} OFFSET ${offset}`);
}

function sortSql<Field extends QueryField>(
  { field, direction, nulls }: SortKey<Field>,
  context: SqlContext<Field>,
): SqlText {
  const column = context.columnOf(field);
  const value = comparableOf(field, column, context.dialect).ordered;
  const key = sql`${value} ${rawSql(direction === 'asc' ? 'ASC' : 'DESC')}`;
  const isNullSmallest = (nulls === 'first') === (direction === 'asc');
  if (context.dialect === 'postgres') return sql`${key} NULLS ${rawSql(nulls === 'first' ? 'FIRST' : 'LAST')}`;
  // Here null is smallest unasked; an index serves the plain order alone.
  if (isNullSmallest) return key;
  if (context.dialect === 'sqlite') return sql`${key} NULLS ${rawSql(nulls === 'first' ? 'FIRST' : 'LAST')}`;
  return sql`${rawSql(`${column.sql} IS NULL ${nulls === 'first' ? 'DESC' : 'ASC'}`)}, ${key}`;
}
