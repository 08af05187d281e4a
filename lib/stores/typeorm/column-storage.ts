import type { DataSource, EntityMetadata } from 'typeorm';
import type { QueryField } from '../../query/index.js';
import type { SqlColumn, SqlDialect } from '../../query/sql/index.js';

export type ColumnMetadata = EntityMetadata['columns'][number];

/** How TypeORM's column keeps its values; undefined for a type that no kind compares in. */
export function columnStorage(
  column: ColumnMetadata,
  field: QueryField,
  dialect: SqlDialect,
  dataSource: DataSource,
): Omit<SqlColumn, 'sql'> | undefined {
  if (column.isArray || SERIALISED.includes(String(column.type))) return undefined;
  const type = dataSource.driver.normalizeType(column).toLowerCase();
  if (field.kind === 'boolean' && BOOLEANS[dialect].includes(type)) return { storage: 'boolean' };
  if (!Object.hasOwn(STORAGES[dialect], type)) return undefined;
  const found = STORAGES[dialect][type];
  if (found?.storage === 'datetime') return momentStorage(found, dialect, dataSource);
  return found && (column.collation && found.storage === 'text' ? { ...found, isCollated: true } : found);
}

/** Kept as text, and not what the text says. */
const SERIALISED: readonly string[] = ['simple-array', 'simple-json'];

const BOOLEANS: Readonly<Record<SqlDialect, readonly string[]>> = {
  sqlite: ['boolean', 'integer', 'tinyint', 'int'],
  postgres: ['boolean'],
  mysql: ['tinyint', 'boolean', 'bool'],
};

type Storage = Omit<SqlColumn, 'sql'>;

function all(types: readonly string[], storage: Storage): Readonly<Record<string, Storage>> {
  return Object.fromEntries(types.map((type) => [type, storage]));
}

const STORAGES: Readonly<Record<SqlDialect, Readonly<Record<string, Storage>>>> = {
  sqlite: {
    ...all(['varchar', 'text', 'character', 'nvarchar', 'nchar', 'varying character', 'clob'], { storage: 'text' }),
    ...all(['integer', 'int', 'int2', 'int8', 'tinyint', 'smallint', 'mediumint', 'bigint', 'unsigned big int'], {
      storage: 'integer',
    }),
    ...all(['real', 'double', 'double precision', 'float'], { storage: 'real' }),
    ...all(['numeric', 'decimal'], { storage: 'numeric' }),
    date: { storage: 'date' },
    datetime: { storage: 'datetime' },
  },
  postgres: {
    ...all(['character varying', 'varchar', 'text'], { storage: 'text' }),
    ...all(['citext', 'character', 'char'], { storage: 'text', isCollated: true }),
    enum: { storage: 'label' },
    uuid: { storage: 'uuid' },
    ...all(['smallint', 'integer', 'bigint'], { storage: 'integer' }),
    'double precision': { storage: 'real' },
    numeric: { storage: 'numeric' },
    date: { storage: 'date' },
    'timestamp with time zone': { storage: 'datetime', zone: 'stored' },
    'timestamp without time zone': { storage: 'datetime', zone: 'local' },
  },
  mysql: {
    ...all(['varchar', 'char', 'nvarchar', 'text', 'tinytext', 'mediumtext', 'longtext'], { storage: 'text' }),
    enum: { storage: 'label' },
    uuid: { storage: 'uuid' },
    ...all(['tinyint', 'smallint', 'mediumint', 'int', 'integer', 'bigint'], { storage: 'integer' }),
    ...all(['double', 'double precision', 'real'], { storage: 'real' }),
    ...all(['decimal', 'numeric', 'dec', 'fixed'], { storage: 'numeric' }),
    date: { storage: 'date' },
    ...all(['datetime', 'timestamp'], { storage: 'datetime' }),
  },
};

/** Wall-clock time is read in the zone in which the driver writes it: that of the process, or what was set. */
function momentStorage(storage: Storage, dialect: SqlDialect, { options }: DataSource): Storage | undefined {
  if (dialect !== 'mysql') return storage;
  const timezone = 'timezone' in options ? options.timezone : undefined;
  if (timezone === undefined || timezone === 'local') return { ...storage, zone: 'local' };
  return ['Z', '+00:00'].includes(timezone) ? { ...storage, zone: 'utc' } : undefined;
}
