import type { EntityMetadata, ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
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
  decodeValue,
  listSql,
  rawSql,
  sqlCapabilities,
  type AggregateSql,
  type SqlDialect,
  type SqlText,
} from '../../query/sql/index.js';
import { QueryStoreError } from '../query-store-error.js';
import { dialectOf } from './dialect.js';
import { fieldColumns, type FieldColumn } from './field-columns.js';
import { RowReader } from './row-reader.js';
import { Scope, checkBase } from './scope.js';
import { UsedColumns } from './used-columns.js';
import { resolveTypeOrmOptions, type TypeOrmQueryExecutorOptions } from './typeorm-query-executor.options.js';

/**
 * Runs plans through TypeORM on SQLite, PostgreSQL, MySQL and MariaDB. Rows are instances of the read model with its fields
 * and no others: decimals and big integers as strings, dates as `YYYY-MM-DD`, moments as a `Date` or, where the
 * read model says string, as ISO text.
 *
 * A list sends two statements at most: the rows, and their number where the page does not tell it.
 */
export class TypeOrmQueryExecutor<
  Row extends object,
  Entity extends ObjectLiteral = ObjectLiteral,
> implements QueryExecutor<Row, SelectQueryBuilder<Entity>> {
  readonly capabilities: Capabilities;
  readonly #dialect: SqlDialect;
  readonly #entity: EntityMetadata;
  readonly #columns: ReadonlyMap<string, FieldColumn>;
  readonly #isUnscopedAllowed: boolean;

  /**
   * @throws PaletteBootError `query_store_field_unmapped`, `query_store_column_unsupported`
   */
  constructor(
    private readonly repository: Repository<Entity>,
    private readonly options: TypeOrmQueryExecutorOptions<Row>,
  ) {
    const resolved = resolveTypeOrmOptions(options);
    const { dataSource } = repository.metadata;
    this.#dialect = dialectOf(dataSource);
    this.#entity = repository.metadata;
    this.#columns = fieldColumns(resolveQueryPolicy(options.readModel), this.#entity, this.#dialect, resolved);
    this.#isUnscopedAllowed = resolved.allowUnscoped;
    this.capabilities = sqlCapabilities(this.#dialect);
  }

  /**
   * @param base what the application lets the caller see: conditions, joins, soft deletion. Its order is not kept
   * @throws QueryError `query_unsupported_by_store`
   * @throws QueryStoreError `query_store_base_unsupported`
   */
  async list(query: ListPlan, base?: SelectQueryBuilder<Entity>, signal?: AbortSignal): Promise<ListResult<Row>> {
    refuseUnsupported(query, this.capabilities);
    const builder = this.#builderOf(base);
    const reader = new RowReader(this.options.readModel, query, this.#columns);
    const read = await this.#run(builder, signal, (source, columns) =>
      listSql(query, reader.selected(columns), source, columns),
    );
    const { rows, hasMore } = resultOf(query, read);
    const result = { rows: rows.map((row) => reader.row(row)), hasMore, ...reader.edges(rows) };
    const { paging } = query;
    if (paging.kind === 'cursor') return result;
    if (!hasMore && (rows.length > 0 || paging.offset === 0)) return { ...result, total: paging.offset + rows.length };
    const [counted] = await this.#run(builder, signal, (source, columns) => countSql(query, source, columns));
    return { ...result, total: Number(counted?.['total']) };
  }

  /** @see list */
  async aggregate(
    query: AggregatePlan,
    base?: SelectQueryBuilder<Entity>,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>[]> {
    refuseUnsupported(query, this.capabilities);
    let outputs: AggregateSql['outputs'] = [];
    const answers = await this.#run(this.#builderOf(base), signal, (source, columns) => {
      const aggregate = aggregateSql(query, source, columns);
      outputs = aggregate.outputs;
      return aggregate.statement;
    });
    return answers.map((answer) =>
      Object.fromEntries(
        outputs.map(({ output, column }) => [output.name, decodeValue(answer[output.column], output, column)]),
      ),
    );
  }

  /** Renders twice: once to learn which columns the scope must yield. */
  async #run(
    builder: SelectQueryBuilder<Entity>,
    signal: AbortSignal | undefined,
    render: (source: SqlText, columns: UsedColumns) => SqlText,
  ): Promise<Record<string, unknown>[]> {
    const columns = new UsedColumns(this.#columns, this.#dialect);
    render(rawSql(''), columns);
    const scope = new Scope(builder, columns.used, this.#dialect);
    return scope.run(render(scope.source, columns), signal);
  }

  #builderOf(base: SelectQueryBuilder<Entity> | undefined): SelectQueryBuilder<Entity> {
    if (base === undefined && !this.#isUnscopedAllowed) {
      const what = 'it is missing: pass a query builder of what the caller may see, or set `allowUnscoped`';
      throw new QueryStoreError('query_store_base_unsupported', {
        parameters: { store: TypeOrmQueryExecutor.name, what },
      });
    }
    const builder = base ?? this.repository.createQueryBuilder();
    checkBase(builder, this.#entity);
    return builder;
  }
}
