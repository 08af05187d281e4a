import { quoteIdentifier, type ColumnStorage, type SqlColumn } from '../../query/sql/index.js';
import type { PrismaClientLike, PrismaModel } from './prisma-client.js';

/** A column as PostgreSQL has it. */
export interface PostgresColumn extends Omit<SqlColumn, 'sql'> {
  /** Of an enum of the database's own: its labels. */
  readonly labels?: readonly string[];
}

/** By column; a column whose values do not compare as the language does is left out. */
export type PostgresColumns = ReadonlyMap<string, PostgresColumn>;

/**
 * Asks the catalogue how the columns of a model are kept: the generated client does not know `timestamptz` from
 * `timestamp`, nor `citext` from `text`.
 * @throws TypeError where the database has no such table
 */
export async function readPostgresColumns(client: PrismaClientLike, model: PrismaModel): Promise<PostgresColumns> {
  const source = qualifiedTable(model);
  const rows = await client.$queryRawUnsafe<readonly CatalogueRow[]>(CATALOGUE, source);
  if (rows.length === 0) throw new TypeError(`The database has no table ${source}.`);
  return new Map(rows.flatMap((row) => entryOf(row)));
}

interface CatalogueRow {
  readonly name: string;
  readonly type: string;
  readonly is_deterministic: boolean | null;
  /** JSON. */
  readonly labels: string | null;
}

const CATALOGUE = `SELECT CAST(a.attname AS text) AS name, CAST(t.typname AS text) AS type,
  c.collisdeterministic AS is_deterministic,
  (SELECT CAST(json_agg(e.enumlabel) AS text) FROM pg_enum e WHERE e.enumtypid = t.oid) AS labels
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation
WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`;

function entryOf({ name, type, is_deterministic, labels }: CatalogueRow): [string, PostgresColumn][] {
  if (labels !== null) return [[name, { storage: 'label', labels: JSON.parse(labels) as string[] }]];
  const storage = Object.hasOwn(STORAGES, type) ? STORAGES[type] : undefined;
  if (storage === undefined) return [];
  if (storage === 'datetime') return [[name, { storage, zone: type === 'timestamptz' ? 'stored' : 'utc' }]];
  const isCollated = FOLDING.includes(type) || is_deterministic === false;
  return [[name, isCollated ? { storage, isCollated } : { storage }]];
}

/** Single precision is left out: its numbers print as others than they are. */
const STORAGES: Readonly<Record<string, ColumnStorage>> = {
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  citext: 'text',
  uuid: 'uuid',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float8: 'real',
  numeric: 'numeric',
  bool: 'boolean',
  date: 'date',
  timestamp: 'datetime',
  timestamptz: 'datetime',
};

const FOLDING: readonly string[] = ['bpchar', 'citext'];

/** How a model's table is written in a statement, and asked for in the catalogue. */
export function qualifiedTable({ dialect, schema, table }: PrismaModel): string {
  const quoted = quoteIdentifier(table, dialect);
  return schema === undefined ? quoted : `${quoteIdentifier(schema, dialect)}.${quoted}`;
}
