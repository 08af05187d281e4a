import { filterSql, quoteIdentifier, rawSql, sql, type SqlText, type SqlValue } from '../../query/sql/index.js';
import { ROWS, columnOf, scopeFields } from './column-storage.js';
import { qualifiedTable, type PostgresColumns } from './postgres-columns.js';
import type { PrismaField, PrismaModel } from './prisma-client.js';
import { refuse } from './scope-refusal.js';
import { whereFilter, type PrismaWhere } from './prisma-where.js';

/** What `Prisma.sql` yields. */
export interface PrismaSql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * The application's own condition on the rows that a caller may see: a Prisma `where` over the model's own columns, or
 * `Prisma.sql` for all else, in which columns go by their names in the database.
 */
export type PrismaScope = PrismaWhere | PrismaSql;

/** A scope, and a signal. */
export type PrismaCall = readonly [scope?: PrismaScope, signal?: AbortSignal];

/**
 * What plans read from: the model's rows within the scope, in a query of its own that no filter can get around.
 * @throws QueryStoreError `query_store_base_unsupported` where the scope is none: a mistake there would mean every row
 */
export function sourceOf(
  call: PrismaCall,
  allowUnscoped: boolean,
  model: PrismaModel,
  catalogue: PostgresColumns | undefined,
): SqlText {
  const table = rawSql(qualifiedTable(model));
  const rows = rawSql(quoteIdentifier(ROWS, model.dialect));
  const scope = scopeOf(call, allowUnscoped);
  if (scope === undefined) return sql`${table} AS ${rows}`;
  if (isPrismaSql(scope)) return sql`(SELECT * FROM ${table} WHERE (${fragment(scope)})) AS ${rows}`;
  const filter = whereFilter(scope, scopeFields(model, catalogue));
  if (filter === undefined) return sql`${table} AS ${rows}`;
  const condition = filterSql(filter, {
    dialect: model.dialect,
    columnOf: (field) => columnOf(model.fields.get(field.name) as PrismaField, field, catalogue) ?? refuse(field.name),
  });
  return sql`(SELECT ${rows}.* FROM ${table} AS ${rows} WHERE ${condition}) AS ${rows}`;
}

function scopeOf(call: PrismaCall, allowUnscoped: boolean): PrismaScope | undefined {
  const [scope] = call;
  if (typeof scope === 'object' && scope !== null) return scope;
  if (call.length > 0) return refuse('it is undefined, which would mean every row: pass {} for that');
  if (allowUnscoped) return undefined;
  return refuse('it is missing: pass a `where` of what the caller may see, or set `allowUnscoped`');
}

function isPrismaSql(scope: PrismaScope): scope is PrismaSql {
  const { strings, values } = scope as Partial<PrismaSql>;
  return Array.isArray(strings) && Array.isArray(values) && strings.length === values.length + 1;
}

/** Its values are the application's own; Prisma binds them as it binds all parameters. */
function fragment({ strings, values }: PrismaSql): SqlText {
  if (values.includes(undefined)) return refuse('a parameter of its SQL is undefined');
  if (strings.join('').trim() === '') return refuse('its SQL is empty: pass {} for every row');
  return { texts: strings, values: values as readonly SqlValue[] };
}
