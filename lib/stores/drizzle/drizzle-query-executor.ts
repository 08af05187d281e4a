import { sql, type SQL, type Table } from 'drizzle-orm';
import {
  readingOf,
  resolveQueryPolicy,
  resultOf,
  type AggregatePlan,
  type Capabilities,
  type FilterNode,
  type ListPlan,
  type ListResult,
  type QueryExecutor,
} from '../../query/index.js';
import { refuseUnsupported } from '../../query/refuse-unsupported.js';
import {
  aggregateSql,
  decodeValue,
  filterSql,
  joinSql,
  limitSql,
  orderSql,
  rawSql,
  sqlCapabilities,
  sql as sqlText,
  type SqlContext,
  type SqlText,
} from '../../query/sql/index.js';
import { dialectOf, textOf, type DrizzleDatabase } from './drizzle-dialect.js';
import { resolveDrizzleOptions, type DrizzleQueryExecutorOptions } from './drizzle-query-executor.options.js';
import { rowsOf, selectRows } from './drizzle-session.js';
import { fieldColumns, sqlContext, type FieldColumns } from './field-columns.js';
import { RowReader } from './row-reader.js';
import { scopeOf, type DrizzleCall } from './scope.js';
import { fromDrizzleSql, toDrizzleSql } from './to-drizzle-sql.js';

const EVERY_ROW = rawSql('1 = 1');

/**
 * Runs plans through Drizzle on SQLite, PostgreSQL, MySQL and MariaDB, over one table. Rows are instances of the read
 * model with its fields and no others: decimals and big integers as strings, dates as `YYYY-MM-DD`, moments as a `Date` or,
 * where the read model says string, as ISO text.
 *
 * A list sends two statements at most: the rows, and their number where the page does not tell it.
 * @see https://orm.drizzle.team/docs/sql
 */
export class DrizzleQueryExecutor<Row extends object> implements QueryExecutor<Row, SQL> {
  readonly capabilities: Capabilities;
  readonly #columns: FieldColumns;
  readonly #context: SqlContext;
  readonly #isUnscopedAllowed: boolean;

  /**
   * @param database of any driver, or a transaction of it
   * @throws TypeError where the table is not of the database's dialect
   * @throws PaletteBootError `query_store_field_unmapped`, `query_store_column_unsupported`
   */
  constructor(
    private readonly database: DrizzleDatabase,
    private readonly table: Table,
    private readonly options: DrizzleQueryExecutorOptions<Row>,
  ) {
    const resolved = resolveDrizzleOptions(options);
    const dialect = dialectOf(database, table);
    const policy = resolveQueryPolicy(options.readModel);
    const text = (part: SQL) => textOf(database, part);
    this.#columns = fieldColumns({ policy, table, dialect, options: resolved, textOf: text });
    this.#context = sqlContext(this.#columns, dialect);
    this.#isUnscopedAllowed = resolved.allowUnscoped;
    this.capabilities = sqlCapabilities(dialect);
  }

  /**
   * @param call the application's condition on columns of the table, which stands outside the caller's filter; a signal
   * @throws QueryError `query_unsupported_by_store`
   * @throws QueryStoreError `query_store_base_unsupported`
   */
  async list(query: ListPlan, ...call: DrizzleCall): Promise<ListResult<Row>> {
    refuseUnsupported(query, this.capabilities);
    const scope = scopeOf(call, this.#isUnscopedAllowed);
    const [, signal] = call;
    const reader = new RowReader(this.options.readModel, query, this.#columns);
    const { rows, hasMore } = resultOf(query, await this.#read(query, reader, scope, signal));
    const result = { rows: rows.map((row) => reader.row(row)), hasMore, ...reader.edges(rows) };
    const { paging } = query;
    if (paging.kind === 'cursor') return result;
    if (!hasMore && (rows.length > 0 || paging.offset === 0)) return { ...result, total: paging.offset + rows.length };
    return { ...result, total: await this.#count(query, scope, signal) };
  }

  /** @see list */
  async aggregate(query: AggregatePlan, ...call: DrizzleCall): Promise<Record<string, unknown>[]> {
    refuseUnsupported(query, this.capabilities);
    const scope = scopeOf(call, this.#isUnscopedAllowed);
    const { filter, ...plan } = query;
    const condition = this.#condition(filter, scope);
    const source = sqlText`${rawSql(textOf(this.database, sql`${this.table}`))} WHERE ${condition}`;
    const { statement, outputs } = aggregateSql(plan, source, this.#context);
    call[1]?.throwIfAborted();
    const answers = await rowsOf(this.database, toDrizzleSql(statement), this.#context.dialect);
    return answers.map((answer) =>
      Object.fromEntries(
        outputs.map(({ output, column }) => [output.name, decodeValue(answer[output.column], output, column)]),
      ),
    );
  }

  #read(query: ListPlan, reader: RowReader<Row>, scope: SQL | undefined, signal: AbortSignal | undefined) {
    const { filter, sorts, offset, limit } = readingOf(query);
    const condition = this.#condition(filter, scope);
    const rest = sqlText`${condition}${orderSql(sorts, this.#context)}${limitSql(limit, offset)}`;
    signal?.throwIfAborted();
    return selectRows(this.database, reader.selection(this.#context.dialect), this.table, toDrizzleSql(rest));
  }

  async #count({ filter }: ListPlan, scope: SQL | undefined, signal: AbortSignal | undefined): Promise<number> {
    const condition = this.#condition(filter, scope);
    signal?.throwIfAborted();
    const [answer] = await selectRows(this.database, { total: sql`COUNT(*)` }, this.table, toDrizzleSql(condition));
    return Number(answer?.['total']);
  }

  /** The scope in parentheses of its own, which Drizzle's `and()` leaves out: an `or` in it would reach around the filter. */
  #condition(filter: FilterNode | undefined, scope: SQL | undefined): SqlText {
    const conditions: SqlText[] = [];
    if (scope !== undefined) conditions.push(sqlText`(${fromDrizzleSql(scope)})`);
    if (filter !== undefined) conditions.push(filterSql(filter, this.#context));
    return conditions.length === 0 ? EVERY_ROW : joinSql(conditions, ' AND ');
  }
}
