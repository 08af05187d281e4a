import type { EntityMetadata, ObjectLiteral, QueryRunner, SelectQueryBuilder } from 'typeorm';
import { QueryStoreError } from '../query-store-error.js';
import { rawSql, toStatement, type SqlDialect, type SqlText, quoteIdentifier } from '../../query/sql/index.js';
import { SCOPE, type FieldColumn } from './field-columns.js';

/** What the application lets the caller see, as a derived table: no condition of a plan can reach into it. */
export class Scope<Entity extends ObjectLiteral> {
  /** What stands after `FROM`. */
  readonly source: SqlText;
  readonly #builder: SelectQueryBuilder<Entity>;

  /** @param fields what the statement needs of each row */
  constructor(base: SelectQueryBuilder<Entity>, fields: readonly FieldColumn[], dialect: SqlDialect) {
    this.#builder = narrowed(base, fields);
    this.source = rawSql(`(${this.#builder.getQuery()}) AS ${quoteIdentifier(SCOPE, dialect)}`);
  }

  /** Runs a statement over the scope, in the base's transaction where it has one. */
  async run(statement: SqlText, signal?: AbortSignal): Promise<Record<string, unknown>[]> {
    signal?.throwIfAborted();
    const { text, parameters } = toStatement(statement, (index) => `:${PARAMETER}${index}`);
    const named = Object.fromEntries(parameters.map((value, index) => [`${PARAMETER}${index}`, value]));
    const { dataSource } = this.#builder;
    const [query, values] = dataSource.driver.escapeQueryWithParameters(text, {
      ...this.#builder.getParameters(),
      ...named,
    });
    // Protected, and the only way to the transaction that a builder was made in.
    const own = Reflect.get(this.#builder, 'queryRunner') as QueryRunner | undefined;
    const runner = own ?? dataSource.createQueryRunner('slave');
    const answer = runner.query(query, values).finally(() => (own ? undefined : runner.release()));
    return untilAborted(answer as Promise<Record<string, unknown>[]>, signal);
  }
}

const PARAMETER = 'nestjs_palette_';

function narrowed<Entity extends ObjectLiteral>(
  base: SelectQueryBuilder<Entity>,
  fields: readonly FieldColumn[],
): SelectQueryBuilder<Entity> {
  const builder = base.clone().orderBy();
  const alias = builder.escape(builder.alias);
  const columnOf = ({ metadata }: Pick<FieldColumn, 'metadata'>) => `${alias}.${builder.escape(metadata.databaseName)}`;
  builder.select([]);
  for (const field of fields) builder.addSelect(columnOf(field), field.alias);
  if (!builder.expressionMap.joinAttributes.some((join) => join.relation === undefined || isToMany(join.relation))) {
    if (fields.length === 0) builder.addSelect('1', 'f');
    return builder;
  }
  // A join may yield a row more than once: with its key, it is told from other rows.
  const keys = builder.expressionMap.mainAlias?.metadata.primaryColumns ?? [];
  keys.forEach((metadata, index) => builder.addSelect(columnOf({ metadata }), `k${index}`));
  return builder.distinct(true);
}

function isToMany(relation: { readonly isOneToMany: boolean; readonly isManyToMany: boolean }): boolean {
  return relation.isOneToMany || relation.isManyToMany;
}

/** A driver cannot be told to stop: who waits is told at once, and the statement ends on its own. */
async function untilAborted<Value>(answer: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return answer;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** @throws QueryStoreError for a base that would widen, cut or multiply what a plan reads */
export function checkBase<Entity extends ObjectLiteral>(
  base: SelectQueryBuilder<Entity>,
  entity: EntityMetadata,
): void {
  const { mainAlias, limit, offset, take, skip, groupBys } = base.expressionMap;
  if (!mainAlias?.hasMetadata || mainAlias.metadata !== entity) refuse('it does not select from the entity');
  if ([limit, offset, take, skip].some((each) => each !== undefined && each !== null)) {
    refuse("it pages itself, which is the plan's to do");
  }
  if (groupBys.length > 0) refuse('it groups rows');
}

function refuse(what: string): never {
  throw new QueryStoreError('query_store_base_unsupported', { parameters: { store: 'TypeOrmQueryExecutor', what } });
}
