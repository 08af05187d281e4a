import { Redis } from 'ioredis';
import type { AgentStore } from 'nestjs-palette';
import { migrate, PostgresAgentStore, type PgPool } from 'nestjs-palette/postgres';
import { RedisAgentStore } from 'nestjs-palette/redis';
import { Pool, type PoolClient } from 'pg';

/** A store on a server of this machine, or of the environment, in a place of its own. */
export interface OpenStore {
  readonly name: string;
  readonly store: AgentStore;
  /** The least that keeps a document: one statement, one commit. */
  write(id: string, document: string): Promise<unknown>;
  /** How the server goes about what a sweeper asks; nothing where it has no plans. */
  plans(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const PLACE = `palette_bench_${process.pid}`;

/** Those whose server answers; one line on stderr says which does not. */
export async function* openStores(): AsyncGenerator<OpenStore> {
  for (const [name, open] of [
    ['PostgreSQL', openPostgres],
    ['Redis', openRedis],
  ] as const) {
    try {
      yield await open();
    } catch (error) {
      console.error(`approvals: ${name} does not answer, and is left out (${(error as Error).message})`);
    }
  }
}

async function openPostgres(): Promise<OpenStore> {
  const env = (key: string, or: string) => process.env[`POSTGRES_${key}`] ?? or;
  const pool = new Pool({
    host: env('HOST', '127.0.0.1'),
    port: Number(env('PORT', '5432')),
    user: env('USER', 'postgres'),
    password: env('PASSWORD', ''),
    database: env('DATABASE', 'test'),
    max: 16,
    connectionTimeoutMillis: 3000,
  });
  await migrate(pool, { schema: PLACE });
  await pool.query(`CREATE TABLE ${PLACE}.bare (id text PRIMARY KEY, document text NOT NULL)`);
  const store = new PostgresAgentStore(pool, { schema: PLACE });
  return {
    name: 'PostgreSQL',
    store,
    write: (id, document) => pool.query(`INSERT INTO ${PLACE}.bare VALUES ($1, $2)`, [id, document]),
    plans: () => plansOf(pool),
    async close() {
      await pool.query(`DROP SCHEMA ${PLACE} CASCADE`);
      await pool.end();
    },
  };
}

async function openRedis(): Promise<OpenStore> {
  const env = (key: string, or: string) => process.env[`REDIS_${key}`] ?? or;
  const client = new Redis({
    host: env('HOST', '127.0.0.1'),
    port: Number(env('PORT', '6379')),
    password: env('PASSWORD', ''),
    lazyConnect: true,
    connectTimeout: 3000,
    retryStrategy: () => null,
  });
  const refused = new Promise<never>((_, reject) => client.on('error', reject));
  await Promise.race([refused, client.connect()]);
  return {
    name: 'Redis',
    store: new RedisAgentStore({ client, keyPrefix: PLACE }),
    write: (id, document) => client.set(`{${PLACE}}:bare:${id}`, document),
    plans: async () => [],
    async close() {
      for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
        const [next, keys] = await client.scan(cursor, 'MATCH', `{${PLACE}}*`, 'COUNT', 1000);
        if (keys.length > 0) await client.del(...keys);
        cursor = next;
      }
      client.disconnect();
    },
  };
}

/** Of each statement that the sweepers send, with the values that they send. */
async function plansOf(pool: Pool): Promise<readonly string[]> {
  const statements: { text: string; values: unknown[] }[] = [];
  const noting: PgPool = { connect: async () => noted(await pool.connect(), statements) };
  const store = new PostgresAgentStore(noting, { schema: PLACE, push: false });
  await store.runnable(100);
  await store.expireApprovals(100);
  const plans: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, BUFFERS) ${text}`,
      values,
    );
    plans.push([text, ...rows.map((row) => `  ${row['QUERY PLAN']}`)].join('\n'));
  }
  return plans;
}

function noted(client: PoolClient, statements: { text: string; values: unknown[] }[]): PoolClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (text: string, values: unknown[] = []) => {
        statements.push({ text, values });
        return target.query(text, values);
      };
    },
  });
}
