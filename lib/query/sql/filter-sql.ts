import type { FilterNode } from '../ast.js';
import type { QueryField } from '../kinds/index.js';
import { comparableOf, type Condition } from './comparable-sql.js';
import { normalFilter, type LeafNode, type NormalFilter } from './negation.js';
import type { OrderSymbol } from './number-operand.js';
import type { SqlColumn, SqlDialect } from './sql-column.js';
import { joinSql, rawSql, sql, type SqlText } from './sql-text.js';
import { likeSql } from './text-patterns.js';

/** Where a plan is rendered for: the dialect, and the column of each field. */
export interface SqlContext<Field extends QueryField = QueryField> {
  readonly dialect: SqlDialect;
  /** @throws where the store has no column for the field, or cannot compare what it holds */
  columnOf(field: Field): SqlColumn;
}

const TRUE = rawSql('1 = 1');
const FALSE = rawSql('1 = 0');

/** A filter as a condition: in parentheses where it must be, never empty. */
export function filterSql<Field extends QueryField>(filter: FilterNode<Field>, context: SqlContext<Field>): SqlText {
  return normalSql(normalFilter(filter), context);
}

function normalSql<Field extends QueryField>(filter: NormalFilter<Field>, context: SqlContext<Field>): SqlText {
  if (filter.type === 'leaf') return leafSql(filter.leaf, filter.isNegated, context);
  const parts = filter.filters.map((part) => normalSql(part, context));
  return sql`(${joinSql(parts, filter.type === 'and' ? ' AND ' : ' OR ')})`;
}

function leafSql<Field extends QueryField>(
  leaf: LeafNode<Field>,
  isNegated: boolean,
  context: SqlContext<Field>,
): SqlText {
  const column = context.columnOf(leaf.field);
  if (leaf.type === 'null') return nullSql(column, leaf.isNull !== isNegated);
  // `$neq` and `$nin` are negated themselves: what they negate is `$eq` and `$in`.
  const isOpposite =
    (leaf.type === 'comparison' && leaf.operator === '$neq') || (leaf.type === 'list' && leaf.operator === '$nin');
  const matchesNull = isNegated !== isOpposite;
  return orNull(conditionOf(leaf, matchesNull, column, context.dialect), matchesNull, column);
}

/** The condition on values that are not null. */
function conditionOf(leaf: LeafNode, isNegated: boolean, column: SqlColumn, dialect: SqlDialect): Condition {
  if (leaf.type === 'pattern') return patternSql(leaf, isNegated, column, dialect);
  if (leaf.type === 'null') throw new TypeError('A null test has no operand.');
  const comparable = comparableOf(leaf.field, column, dialect);
  if (leaf.type === 'list') return comparable.isIn(leaf.operands, isNegated);
  const { operator, operand } = leaf;
  if (operator === '$eq' || operator === '$neq') return comparable.isIn([operand], isNegated);
  return comparable.compare(isNegated ? OPPOSITES[operator] : SYMBOLS[operator], operand);
}

const SYMBOLS = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const satisfies Record<string, OrderSymbol>;
const OPPOSITES = { $gt: '<=', $gte: '<', $lt: '>=', $lte: '>' } as const satisfies Record<string, OrderSymbol>;

function patternSql(
  { operator, patterns }: Extract<LeafNode, { type: 'pattern' }>,
  isNegated: boolean,
  column: SqlColumn,
  dialect: SqlDialect,
): Condition {
  if (operator === '$regex') throw new TypeError("No SQL store runs $regex: its engine is not the language's.");
  if (patterns.length === 0) return isNegated ? 'all' : 'none';
  const matches = patterns.map((pattern) => likeSql(column, pattern, operator === '$ilike', dialect));
  const any = joinSql(matches, ' OR ');
  // On values that are not null a match is true or false, so that NOT is safe here.
  return isNegated ? sql`NOT (${any})` : patterns.length === 1 ? any : sql`(${any})`;
}

function orNull(condition: Condition, matchesNull: boolean, column: SqlColumn): SqlText {
  if (!matchesNull) return condition === 'all' ? nullSql(column, false) : condition === 'none' ? FALSE : condition;
  if (condition === 'all') return TRUE;
  return condition === 'none' ? nullSql(column, true) : sql`(${condition} OR ${nullSql(column, true)})`;
}

function nullSql(column: SqlColumn, isNull: boolean): SqlText {
  return rawSql(`${column.sql} IS ${isNull ? '' : 'NOT '}NULL`);
}
