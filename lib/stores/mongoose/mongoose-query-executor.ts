import {
  readingOf,
  resultOf,
  type AggregatePlan,
  type Capabilities,
  type FilterNode,
  type ListPlan,
  type ListResult,
  type QueryExecutor,
} from '../../query/index.js';
import { FILTER_OPERATORS, MEASURE_FUNCTIONS } from '../../query/kinds/index.js';
import { groupStages, pageStages } from './aggregate-pipeline.js';
import { outputRows, singleRow } from './aggregate-rows.js';
import { baseFilter } from './base-filter.js';
import { conditionOf } from './condition.js';
import { RowReader } from './list-rows.js';
import { matchFilter } from './match-filter.js';
import { runPipeline, type Document, type MongooseModel } from './mongoose-model.js';
import { sortStages } from './sort-stages.js';
import { fieldResolver, type FieldPaths, type FieldResolver } from './stored-field.js';

export interface MongooseQueryExecutorOptions {
  /** Paths of the schema by the names that the read model gives them. Default: none; names are paths, `id` is `_id`. */
  readonly paths?: FieldPaths;
  /** Milliseconds that MongoDB may spend on one statement. Default: no limit. */
  readonly maxTimeMs?: number;
}

/** A filter as `Model.find` takes it. */
export type MongooseFilter = Readonly<Record<string, unknown>>;

/** A scope, and a signal: `base` must be a filter where it is given at all. */
export type MongooseCall = readonly [base?: MongooseFilter, signal?: AbortSignal];

/** MongoDB matches by backtracking, so that a caller's own expression could take any time. */
const CAPABILITIES: Capabilities = Object.freeze({
  operators: Object.freeze(FILTER_OPERATORS.filter((operator) => operator !== '$regex')),
  functions: MEASURE_FUNCTIONS,
});

/**
 * Runs plans over a Mongoose model, by aggregation alone: `pre('aggregate')` middleware and discriminators apply, `find`
 * middleware does not. Rows are plain objects: decimals, big integers, ids and UUIDs as strings.
 * @typeParam Row the read model
 */
export class MongooseQueryExecutor<Row extends object = Document> implements QueryExecutor<Row, MongooseFilter> {
  readonly capabilities = CAPABILITIES;
  readonly #model: MongooseModel;
  readonly #resolve: FieldResolver;
  readonly #rows: RowReader;
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(model: MongooseModel, { paths = {}, maxTimeMs }: MongooseQueryExecutorOptions = {}) {
    const named = Object.freeze({ ...paths });
    this.#model = model;
    this.#resolve = fieldResolver(model, named);
    this.#rows = new RowReader(model, named);
    // A collation of the collection's own would fold case.
    this.#options = Object.freeze({
      collation: Object.freeze({ locale: 'simple' }),
      ...(maxTimeMs === undefined ? {} : { maxTimeMS: maxTimeMs }),
    });
  }

  /**
   * One statement, and one more to count the pages of a list by number.
   * @param rest the application's own filter, which stands outside the caller's; a signal
   * @throws TypeError where `base` is given and is no filter, or a field of the plan has no path that compares as it does
   */
  async list(query: ListPlan, ...rest: MongooseCall): Promise<ListResult<Row>> {
    const match = this.#match(query.filter, rest);
    const reading = readingOf(query);
    const within = reading.filter === query.filter ? match : this.#match(reading.filter, rest);
    const { stages, columns } = sortStages(reading.sorts, this.#resolve);
    const projection = this.#rows.projection(query, reading);
    const read = await this.#run(rest[1], [
      within,
      ...stages,
      { $skip: reading.offset },
      { $limit: reading.limit },
      ...(projection === undefined ? columns.map((column) => ({ $unset: column })) : [{ $project: projection }]),
    ]);
    const { rows: documents, hasMore } = resultOf(query, read);
    const rows = documents.map((document) => this.#rows.row(document, query.returnable) as Row);
    if (query.paging.kind === 'cursor') return { rows, hasMore, ...this.#rows.edges(query, documents) };
    return { rows, hasMore, total: await this.#total(match, rest[1]) };
  }

  /**
   * @param rest the application's own filter, which stands outside the caller's; a signal
   * @throws TypeError as `list` does
   */
  async aggregate(query: AggregatePlan, ...rest: MongooseCall): Promise<Record<string, unknown>[]> {
    const stages = [this.#match(query.filter, rest), ...groupStages(query, this.#resolve)];
    if (query.groups.length === 0) return singleRow(query, await this.#run(rest[1], stages));
    const page = pageStages(query, this.#resolve, this.#model.base.Types);
    return outputRows(query, await this.#run(rest[1], [...stages, ...page]));
  }

  #match(filter: FilterNode | undefined, rest: MongooseCall): Document {
    const asked = filter === undefined ? undefined : matchFilter(conditionOf(filter, this.#resolve));
    if (rest.length === 0) return { $match: asked ?? {} };
    const [base] = rest;
    if (typeof base !== 'object' || base === null || Array.isArray(base)) {
      throw new TypeError('The base of a query is no filter, and would mean every document: pass {} for that.');
    }
    const scope = baseFilter(this.#model, base);
    return { $match: asked === undefined ? scope : { $and: [scope, asked] } };
  }

  async #total(match: Document, signal: AbortSignal | undefined): Promise<number> {
    const [counted] = await this.#run(signal, [match, { $count: 'total' }]);
    return Number(counted?.['total'] ?? 0);
  }

  async #run(signal: AbortSignal | undefined, stages: readonly Document[]): Promise<readonly Document[]> {
    signal?.throwIfAborted();
    return runPipeline(this.#model, stages, signal === undefined ? this.#options : { ...this.#options, signal });
  }
}
