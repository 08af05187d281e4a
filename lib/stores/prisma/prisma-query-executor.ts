import {
  resolveQueryPolicy,
  resultOf,
  type AggregatePlan,
  type Capabilities,
  type ListPlan,
  type ListResult,
  type QueryExecutor,
} from '../../query/index.js';
import { refuseUnsupported } from '../../query/refuse-unsupported.js';
import {
  aggregateSql,
  countSql,
  listSql,
  sqlCapabilities,
  toStatement,
  type SqlContext,
  type SqlText,
} from '../../query/sql/index.js';
import { checkMapped, columnFinder, fieldColumns, type ColumnMapping, type FieldColumns } from './field-columns.js';
import { readPostgresColumns, type PostgresColumns } from './postgres-columns.js';
import { modelOf, type PrismaClientLike } from './prisma-client.js';
import { resolvePrismaOptions, type PrismaQueryExecutorOptions } from './prisma-query-executor.options.js';
import { sourceOf, type PrismaCall, type PrismaScope } from './prisma-scope.js';
import { RowReader, exactValue } from './row-reader.js';

type Answer = Record<string, unknown>;

/**
 * Runs plans over one model of a Prisma client, on SQLite or PostgreSQL, in SQL of its own with parameters: Prisma's
 * `where` has no patterns, no binary order of text, and no negation that matches null. Rows are instances of the read
 * model with its fields and no others: decimals and big integers as strings, dates as `YYYY-MM-DD`, moments as a `Date`
 * or, where the read model says string, as ISO text. Relations are not read.
 *
 * A list sends two statements at most: the rows, and their number where the page does not tell it. On PostgreSQL the first
 * call of all asks the catalogue how the columns are kept.
 * @see https://www.prisma.io/docs/orm/prisma-client/using-raw-sql
 */
export class PrismaQueryExecutor<Row extends object> implements QueryExecutor<Row, PrismaScope> {
  readonly capabilities: Capabilities;
  readonly #mapping: ColumnMapping;
  #known: Promise<KnownColumns> | undefined;

  /**
   * @param client the application's own, an extended one, or that of a transaction
   * @throws TypeError where the client does not have the model, or is for another database
   * @throws PaletteBootError `query_store_field_unmapped`; `query_store_column_unsupported`, on PostgreSQL from the first
   * call
   */
  constructor(
    private readonly client: PrismaClientLike,
    private readonly options: PrismaQueryExecutorOptions<Row>,
  ) {
    const model = modelOf(client, options.model, options.schema);
    const policy = resolveQueryPolicy(options.readModel);
    this.#mapping = { policy, model, options: resolvePrismaOptions(options) };
    this.capabilities = sqlCapabilities(model.dialect);
    checkMapped(this.#mapping);
    if (model.dialect === 'sqlite') this.#known = Promise.resolve({ columns: fieldColumns(this.#mapping) });
  }

  /**
   * @param call the application's own condition on the model, which stands outside the caller's filter; a signal
   * @throws QueryError `query_unsupported_by_store`
   * @throws QueryStoreError `query_store_base_unsupported`
   */
  async list(query: ListPlan, ...call: PrismaCall): Promise<ListResult<Row>> {
    const { source, columns, context, signal } = await this.#prepare(query, call);
    const reader = new RowReader(this.options.readModel, query, columns);
    const selection = reader.selection(context.dialect);
    const answers = await this.#run(listSql(query, selection, source, context), signal);
    const { rows, hasMore } = resultOf(query, answers);
    const result = { rows: rows.map((row) => reader.row(row)), hasMore, ...reader.edges(rows) };
    const { paging } = query;
    if (paging.kind === 'cursor') return result;
    if (!hasMore && (rows.length > 0 || paging.offset === 0)) return { ...result, total: paging.offset + rows.length };
    const [counted] = await this.#run(countSql(query, source, context), signal);
    return { ...result, total: Number(counted?.['total']) };
  }

  /**
   * @param call the application's own condition on the model, which stands outside the caller's filter; a signal
   * @throws QueryError `query_unsupported_by_store`
   * @throws QueryStoreError `query_store_base_unsupported`
   */
  async aggregate(query: AggregatePlan, ...call: PrismaCall): Promise<Answer[]> {
    const { source, context, signal } = await this.#prepare(query, call);
    const { statement, outputs } = aggregateSql(query, source, context);
    const answers = await this.#run(statement, signal);
    return answers.map((answer) =>
      Object.fromEntries(
        outputs.map(({ output, column }) => [output.name, exactValue(answer[output.column], output, column)]),
      ),
    );
  }

  async #prepare(query: ListPlan | AggregatePlan, call: PrismaCall) {
    refuseUnsupported(query, this.capabilities);
    const [, signal] = call;
    signal?.throwIfAborted();
    const { model, options } = this.#mapping;
    const { columns, catalogue } = await (this.#known ??= this.#readCatalogue());
    const context: SqlContext = { dialect: model.dialect, columnOf: columnFinder(columns) };
    return { source: sourceOf(call, options.allowUnscoped, model, catalogue), columns, context, signal };
  }

  async #readCatalogue(): Promise<KnownColumns> {
    try {
      const catalogue = await readPostgresColumns(this.client, this.#mapping.model);
      return { columns: fieldColumns(this.#mapping, catalogue), catalogue };
    } catch (error) {
      // A server that did not answer may do so at the next call.
      this.#known = undefined;
      throw error;
    }
  }

  async #run(statement: SqlText, signal: AbortSignal | undefined): Promise<readonly Answer[]> {
    signal?.throwIfAborted();
    const isNumbered = this.#mapping.model.dialect === 'postgres';
    const { text, parameters } = toStatement(statement, (index) => (isNumbered ? `$${index + 1}` : '?'));
    return this.client.$queryRawUnsafe<readonly Answer[]>(text, ...parameters);
  }
}

interface KnownColumns {
  readonly columns: FieldColumns;
  readonly catalogue?: PostgresColumns;
}
