import type { AggregatePlan, ComputedValue, Measure, OutputField } from '../ast.js';
import type { QueryField } from '../kinds/index.js';
import { comparableOf } from './comparable-sql.js';
import { filterSql, type SqlContext } from './filter-sql.js';
import { whereSql } from './list-sql.js';
import { limitSql, orderSql } from './order-sql.js';
import { outputSql } from './output-sql.js';
import { quoteIdentifier, type SqlColumn, type SqlDialect } from './sql-column.js';
import { joinSql, rawSql, sql, type SqlText } from './sql-text.js';

/** The one statement of an aggregate, and how its answer is read. */
export interface AggregateSql {
  readonly statement: SqlText;
  /** Selected as `output.column`; `decodeValue` reads it. */
  readonly outputs: readonly { readonly output: OutputField; readonly column: SqlColumn }[];
}

/**
 * Groups and computes in a statement of its own, and filters, sorts and pages around it: so `$having` and sorts name
 * outputs as a list names columns.
 * @param source what stands after `FROM`
 */
export function aggregateSql(plan: AggregatePlan, source: SqlText, context: SqlContext): AggregateSql {
  const { dialect } = context;
  const parts = [
    ...plan.groups.map(({ output, field }) => ({ output, ...groupSql(field, context) })),
    ...plan.computed.map((computed) => ({ output: computed.output, ...computedSql(computed, context) })),
  ];
  const outputs = parts.map(({ output, storage, zone }) => ({
    output,
    column: { sql: quotedOutput(output, dialect), storage, ...(zone && { zone }) },
  }));
  const outer = outputContext(outputs, dialect);
  const columns = joinSql(
    parts.map(({ output, value }) => sql`${value} AS ${rawSql(quoteIdentifier(output.column, dialect))}`),
    ', ',
  );
  const inner = sql`SELECT ${columns} FROM ${source}${whereSql(plan.filter, context)}${groupBy(plan.groups.length)}`;
  const having = plan.having === undefined ? rawSql('') : sql` WHERE ${filterSql(plan.having, outer)}`;
  const selected = outputs.map(({ output, column }) => {
    const alias = rawSql(quoteIdentifier(output.column, dialect));
    return sql`${outputSql(output, column, dialect)} AS ${alias}`;
  });
  const { offset, size } = plan.paging;
  const from = sql`SELECT ${joinSql(selected, ', ')} FROM (${inner}) AS ${rawSql(quoteIdentifier(OUTPUTS, dialect))}`;
  return { statement: sql`${from}${having}${orderSql(plan.sorts, outer)}${limitSql(size, offset)}`, outputs };
}

const OUTPUTS = 'outputs';

function quotedOutput({ column }: OutputField, dialect: SqlDialect): string {
  return `${quoteIdentifier(OUTPUTS, dialect)}.${quoteIdentifier(column, dialect)}`;
}

function outputContext(outputs: AggregateSql['outputs'], dialect: SqlDialect): SqlContext<OutputField> {
  return {
    dialect,
    columnOf: (field) => {
      const found = outputs.find(({ output }) => output === field);
      if (found === undefined) throw new TypeError('A plan names an output that it does not have.');
      return found.column;
    },
  };
}

function groupBy(groups: number): SqlText {
  if (groups === 0) return rawSql('');
  return rawSql(` GROUP BY ${Array.from({ length: groups }, (_, index) => index + 1).join(', ')}`);
}

interface OutputSql extends Pick<SqlColumn, 'storage' | 'zone'> {
  readonly value: SqlText;
}

function groupSql(field: QueryField, context: SqlContext): OutputSql {
  const column = context.columnOf(field);
  return { value: comparableOf(field, column, context.dialect).ordered, ...orderedStorage(column, context.dialect) };
}

/** How a value is kept once it stands in its ordered form. */
function orderedStorage(column: SqlColumn, dialect: SqlDialect): Omit<OutputSql, 'value'> {
  const isText = column.storage === 'label' || (column.storage === 'uuid' && dialect === 'mysql');
  return { storage: isText ? 'text' : column.storage, ...(column.zone && { zone: column.zone }) };
}

function computedSql(computed: ComputedValue, context: SqlContext): OutputSql {
  const condition = computed.filter && filterSql(computed.filter, context);
  if (computed.function === '$count') {
    return {
      value: condition ? sql`COUNT(CASE WHEN ${condition} THEN 1 END)` : rawSql('COUNT(*)'),
      storage: 'integer',
    };
  }
  const column = context.columnOf(computed.field);
  const { ordered } = comparableOf(computed.field, column, context.dialect);
  const value = condition ? sql`CASE WHEN ${condition} THEN ${ordered} END` : ordered;
  return measureSql(computed, value, column, context.dialect);
}

function measureSql(measure: Measure, value: SqlText, column: SqlColumn, dialect: SqlDialect): OutputSql {
  const isExact = measure.field.kind === 'decimal' || measure.field.kind === 'bigint';
  switch (measure.function) {
    case '$count_distinct':
      return { value: sql`COUNT(DISTINCT ${value})`, storage: 'integer' };
    case '$min':
      return { value: sql`MIN(${value})`, ...orderedStorage(column, dialect) };
    case '$max':
      return { value: sql`MAX(${value})`, ...orderedStorage(column, dialect) };
    case '$sum':
      return isExact
        ? { value: sql`SUM(${value})`, storage: 'numeric' }
        : { value: doubleSum(value, dialect), storage: 'real' };
    case '$avg':
      return { value: isExact ? exactAverage(value, dialect) : doubleAverage(value, dialect), storage: 'real' };
  }
}

function doubleSum(value: SqlText, dialect: SqlDialect): SqlText {
  // SQLite's sum of integers fails where it leaves 64 bits.
  if (dialect === 'sqlite') return sql`SUM(CAST(${value} AS REAL))`;
  return sql`CAST(SUM(${value}) AS ${rawSql(dialect === 'postgres' ? 'double precision' : 'DOUBLE')})`;
}

function doubleAverage(value: SqlText, dialect: SqlDialect): SqlText {
  return sql`${doubleSum(value, dialect)} / NULLIF(COUNT(${value}), 0)`;
}

/** More digits than a double holds, so that the cast is the only rounding: `AVG` itself keeps four on MySQL. */
function exactAverage(value: SqlText, dialect: SqlDialect): SqlText {
  const count = sql`NULLIF(COUNT(${value}), 0)`;
  if (dialect === 'postgres') return sql`CAST(ROUND(SUM(${value}), 40) / ${count} AS double precision)`;
  if (dialect === 'mysql') return sql`CAST(CAST(SUM(${value}) AS DECIMAL(65, 30)) / ${count} AS DOUBLE)`;
  throw new TypeError('SQLite has no exact average of decimals and big integers.');
}
