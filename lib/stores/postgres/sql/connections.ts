import type { PgClient, PgDataSource, PgPool, PgQueryRunner, PostgresDatabase } from './database-types.js';

/** One connection, until it is given back. */
export interface Connection {
  readonly client: PgClient;
  /** Where it is TypeORM's. */
  readonly queryRunner: PgQueryRunner | undefined;
  begin(): Promise<unknown>;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
  /** Gives it back; where it is broken, for nobody to use again. */
  giveBack(isBroken: boolean): Promise<void>;
}

export async function connectionOf(database: PostgresDatabase): Promise<Connection> {
  return 'createQueryRunner' in database ? queryRunnerConnection(database) : poolConnection(database);
}

/** Runs `work` in a transaction, under the isolation that the store's locks are made for, whatever the default is. */
export async function inTransaction<T>(
  database: PostgresDatabase,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(database);
  let isBroken = false;
  try {
    await connection.begin();
    const value = await work(connection);
    await connection.commit();
    return value;
  } catch (error) {
    await connection.rollback().catch(() => (isBroken = true));
    throw error;
  } finally {
    await connection.giveBack(isBroken);
  }
}

/**
 * As `inTransaction`, for work that is not the store's. Where it throws, some of it may still be at work with the connection in
 * hand, as after a time-out: the connection is closed instead of rolled back, so that nothing which comes late is kept, or gets
 * among somebody else's work.
 */
export async function inSharedTransaction<T>(
  database: PostgresDatabase,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(database);
  let isDone = false;
  try {
    await connection.begin();
    const value = await work(connection);
    await connection.commit();
    isDone = true;
    return value;
  } finally {
    await connection.giveBack(!isDone);
  }
}

let savepoints = 0;

/** Runs `work` as a part of a transaction that is taken back by itself. */
export async function inSavepoint<T>(client: PgClient, work: () => Promise<T>): Promise<T> {
  savepoints += 1;
  const name = `palette_${savepoints}`;
  await client.query(`SAVEPOINT ${name}`);
  try {
    const value = await work();
    await client.query(`RELEASE SAVEPOINT ${name}`);
    return value;
  } catch (error) {
    await client.query(`ROLLBACK TO SAVEPOINT ${name}`);
    throw error;
  }
}

async function poolConnection(pool: PgPool): Promise<Connection> {
  const client = await pool.connect();
  // A client that loses its server says so by an event, which would end the process; the query that it was at fails too.
  client.on('error', ignore);
  return {
    client,
    queryRunner: undefined,
    begin: () => client.query('BEGIN ISOLATION LEVEL READ COMMITTED'),
    commit: () => client.query('COMMIT'),
    rollback: () => client.query('ROLLBACK'),
    async giveBack(isBroken) {
      client.removeListener('error', ignore);
      client.release(isBroken);
    },
  };
}

async function queryRunnerConnection(dataSource: PgDataSource): Promise<Connection> {
  const queryRunner = dataSource.createQueryRunner();
  const client = (await queryRunner.connect()) as PgClient;
  return {
    client,
    queryRunner,
    begin: () => queryRunner.startTransaction('READ COMMITTED'),
    commit: () => queryRunner.commitTransaction(),
    rollback: () => queryRunner.rollbackTransaction(),
    async giveBack(isBroken) {
      // A query runner knows no other way to keep its connection out of the pool.
      if (isBroken) void client.end?.();
      await queryRunner.release();
    },
  };
}

function ignore(): void {
  // See above.
}
