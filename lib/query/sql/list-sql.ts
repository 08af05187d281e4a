import type { FilterNode, ListPlan } from '../ast.js';
import { readingOf } from '../reading.js';
import { filterSql, type SqlContext } from './filter-sql.js';
import { limitSql, orderSql } from './order-sql.js';
import { joinSql, rawSql, sql, type SqlText } from './sql-text.js';

/**
 * The statement that reads a list plan's rows, one more than the page holds: `resultOf` makes the answer of them.
 * @param columns what is selected, with its alias; at least one
 * @param source what stands after `FROM`
 */
export function listSql(plan: ListPlan, columns: readonly SqlText[], source: SqlText, context: SqlContext): SqlText {
  const { filter, sorts, offset, limit } = readingOf(plan);
  const rows = sql`SELECT ${joinSql(columns, ', ')} FROM ${source}${whereSql(filter, context)}`;
  return sql`${rows}${orderSql(sorts, context)}${limitSql(limit, offset)}`;
}

/** The statement that counts what a list plan's filter matches, as `total`. */
export function countSql(plan: ListPlan, source: SqlText, context: SqlContext): SqlText {
  return sql`SELECT COUNT(*) AS total FROM ${source}${whereSql(plan.filter, context)}`;
}

export function whereSql(filter: FilterNode | undefined, context: SqlContext): SqlText {
  return filter === undefined ? rawSql('') : sql` WHERE ${filterSql(filter, context)}`;
}
