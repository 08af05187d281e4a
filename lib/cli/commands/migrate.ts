import type { PgPool } from '../../stores/postgres/index.js';
import { PaletteError } from '../../common/index.js';
import { CommandError, EXIT_CODES } from '../command-error.js';
import type { MigrateCommand } from '../command-line.js';

const VARIABLE = 'DATABASE_URL';
const PATIENCE_MS = 10_000;

type EndingPool = PgPool & { end(): Promise<void> };

/**
 * The answer of `migrate`, as text or as JSON, once the migrations have been run.
 *
 * @throws CommandError where it has no database, or that refuses; its message never holds the connection string
 */
export async function migrate({ url = process.env[VARIABLE], schema, json }: MigrateCommand): Promise<string> {
  if (url === undefined || url === '') {
    throw new CommandError(`No database was named. Set ${VARIABLE} to its connection string, or give --url.`);
  }
  const pool = await poolOf(url);
  try {
    // Not before it is wanted: no other command needs a store.
    const store = await import('../../stores/postgres/index.js');
    const migrations = await store.migrate(pool, { schema });
    if (json) return `${JSON.stringify({ schema, migrations }, null, 2)}\n`;
    if (migrations.length === 0) return `Schema "${schema}" is up to date.\n`;
    return `Schema "${schema}" was migrated:\n${migrations.map((name) => `  ${name}\n`).join('')}`;
  } catch (error) {
    if (PaletteError.isInstance(error)) throw new CommandError(error.message);
    throw new CommandError(`The migrations were not run: ${reasonOf(error)}`, EXIT_CODES.database);
  } finally {
    await pool.end();
  }
}

async function poolOf(connectionString: string): Promise<EndingPool> {
  if (!/^postgres(ql)?:\/\//.test(connectionString) || !URL.canParse(connectionString)) {
    throw new CommandError('The connection string is no URL that begins with postgres:// or postgresql://.');
  }
  const pg = await import('pg').catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError('`migrate` needs the package `pg`, which is not installed here.');
  });
  return new pg.default.Pool({ connectionString, max: 1, connectionTimeoutMillis: PATIENCE_MS });
}

/** Where several addresses of a host refused, the error has no message of its own. */
function reasonOf(error: unknown): string {
  const { message = '', code, errors } = error as { message?: string; code?: string; errors?: readonly unknown[] };
  if (message !== '') return message;
  return errors?.map(reasonOf).join('; ') ?? code ?? 'for no reason that was given';
}
