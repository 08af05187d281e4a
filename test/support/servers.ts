import { Redis } from 'ioredis';
import { Client } from 'pg';
import { createConnection } from 'mysql2/promise';

/** A server that tests use, and the account there. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A place on a server that nobody else uses, and that goes with the tests. */
export interface OwnPlace extends ServerAddress {
  /** The schema on PostgreSQL, the database on MariaDB. */
  readonly place: string;
  drop(): Promise<void>;
}

/** Of `POSTGRES_HOST`, `POSTGRES_PORT`, `POSTGRES_USER`, `POSTGRES_PASSWORD`, `POSTGRES_DATABASE`. */
export const POSTGRES: ServerAddress = addressOf('POSTGRES', 5432, 'postgres');
/** Of `MARIADB_HOST`, `MARIADB_PORT`, `MARIADB_USER`, `MARIADB_PASSWORD`, `MARIADB_DATABASE`. */
export const MARIADB: ServerAddress = addressOf('MARIADB', 3306, 'root');
/** Of `REDIS_HOST`, `REDIS_PORT`, `REDIS_PASSWORD`. */
export const REDIS = {
  host: process.env['REDIS_HOST'] ?? '127.0.0.1',
  port: Number(process.env['REDIS_PORT'] ?? 6379),
  ...(process.env['REDIS_PASSWORD'] === undefined ? {} : { password: process.env['REDIS_PASSWORD'] }),
};

/**
 * Whether Redis answers; one line says so where it does not.
 * @throws where it does not and `CI` is `true`
 */
export async function redisAnswers(): Promise<boolean> {
  const client = new Redis({ ...REDIS, lazyConnect: true, connectTimeout: 3000, retryStrategy: () => null });
  // It says nothing of its own: the line below does.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch (error) {
    leaveOut(`Redis does not answer at ${REDIS.host}:${REDIS.port}`, error);
    return false;
  } finally {
    client.disconnect();
  }
}

/**
 * A schema of its own on PostgreSQL; undefined, with one line that says so, where no server answers.
 * @throws where no server answers and `CI` is `true`
 */
export function postgresSchema(name: string): Promise<OwnPlace | undefined> {
  return ownPlace('PostgreSQL', POSTGRES, name, runOnPostgres, 'SCHEMA', ' CASCADE');
}

/** A database of its own on MariaDB, under a collation that folds case; otherwise as `postgresSchema`. */
export function mariadbDatabase(name: string): Promise<OwnPlace | undefined> {
  return ownPlace('MariaDB', MARIADB, name, runOnMariadb, 'DATABASE', '');
}

type Run = (statements: readonly string[]) => Promise<void>;

async function ownPlace(
  server: string,
  address: ServerAddress,
  name: string,
  run: Run,
  what: 'SCHEMA' | 'DATABASE',
  how: string,
): Promise<OwnPlace | undefined> {
  const place = `palette_${name}_${process.pid}`;
  const drop = () => run([`DROP ${what} IF EXISTS ${place}${how}`]);
  const options = what === 'DATABASE' ? ' CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci' : '';
  try {
    await run([`DROP ${what} IF EXISTS ${place}${how}`, `CREATE ${what} ${place}${options}`]);
  } catch (error) {
    leaveOut(`${server} does not answer at ${address.host}:${address.port} as ${address.user}`, error);
    return undefined;
  }
  return { ...address, place, drop };
}

function leaveOut(line: string, cause: unknown): void {
  if (process.env['CI'] === 'true') throw new Error(`${line}, and CI requires it.`, { cause });
  process.stderr.write(`${line}: its tests are left out.\n`);
}

async function runOnPostgres(statements: readonly string[]): Promise<void> {
  const client = new Client({ ...POSTGRES, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function runOnMariadb(statements: readonly string[]): Promise<void> {
  const connection = await createConnection({ ...MARIADB, connectTimeout: 3000 });
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

function addressOf(prefix: string, port: number, user: string): ServerAddress {
  const read = (key: string) => process.env[`${prefix}_${key}`];
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: Number(read('PORT') ?? port),
    user: read('USER') ?? user,
    password: read('PASSWORD') ?? '',
    database: read('DATABASE') ?? 'test',
  };
}
