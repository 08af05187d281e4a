import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { POSTGRES, postgresSchema, type OwnPlace } from '../support/servers.js';
import { describeOnPostgres } from '../stores/postgres-agent/support/describe-on-postgres.js';
import { runCli } from './run-cli.js';

const { host, port, user, password, database } = POSTGRES;
const urlOf = (who: string, secret: string) => `postgres://${who}:${secret}@${host}:${port}/${database}`;
const URL_HERE = urlOf(encodeURIComponent(user), encodeURIComponent(password));
const ALL = ['0001-agent-store.sql'];

describeOnPostgres('nestjs-palette migrate', () => {
  let place: OwnPlace;
  let schema: string;

  beforeAll(async () => {
    const opened = await postgresSchema('cli_migrate');
    if (opened === undefined) throw new Error('PostgreSQL has gone.');
    place = opened;
    schema = place.place;
  });
  afterEach(() => {
    delete process.env['DATABASE_URL'];
  });
  afterAll(() => place.drop());

  it('creates the tables, says what it ran, and has nothing to do a second time', async () => {
    const first = await runCli(['migrate', '--url', URL_HERE, '--schema', schema]);
    expect(first).toEqual({
      exitCode: 0,
      stdout: `Schema "${schema}" was migrated:\n${ALL.map((name) => `  ${name}\n`).join('')}`,
      stderr: '',
    });
    const client = new Client(POSTGRES);
    await client.connect();
    const { rows } = await client.query(`SELECT name FROM "${schema}".palette_migrations`);
    await client.end();
    expect(rows).toEqual(ALL.map((name) => ({ name })));
    const again = await runCli(['migrate', '--url', URL_HERE, '--schema', schema]);
    expect(again).toEqual({ exitCode: 0, stdout: `Schema "${schema}" is up to date.\n`, stderr: '' });
  });

  it('takes the connection string from the environment, and prints JSON for programs', async () => {
    process.env['DATABASE_URL'] = URL_HERE;
    const { exitCode, stdout } = await runCli(['migrate', '--schema', schema, '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ schema, migrations: [] });
  });

  it('says why the database refuses, and not what it was told', async () => {
    const url = urlOf('nobody-of-that-name', 'secret');
    const { exitCode, stdout, stderr } = await runCli(['migrate', '--url', url]);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^The migrations were not run: .*nobody-of-that-name/);
    expect(stderr).not.toContain('secret');
  });

  it('refuses what is no name of a schema', async () => {
    const { exitCode, stdout, stderr } = await runCli(['migrate', '--url', URL_HERE, '--schema', 'a"b']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^\[store_options_invalid\] PostgresAgentStore: `schema` is no name of a schema/);
  });
});

describe('nestjs-palette migrate without a database', () => {
  it('says that nothing answers', async () => {
    const { exitCode, stdout, stderr } = await runCli(['migrate', '--url', 'postgres://user:secret@127.0.0.1:1/test']);
    expect([exitCode, stdout]).toEqual([4, '']);
    expect(stderr).toBe('The migrations were not run: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it('says that none was named', async () => {
    const before = process.env['DATABASE_URL'];
    delete process.env['DATABASE_URL'];
    const { exitCode, stderr } = await runCli(['migrate']);
    if (before !== undefined) process.env['DATABASE_URL'] = before;
    expect([exitCode, stderr]).toEqual([
      2,
      'No database was named. Set DATABASE_URL to its connection string, or give --url.\n',
    ]);
  });

  it.each(['mysql://user:secret@127.0.0.1/test', 'postgres://user:se cret@[/test', 'secret'])(
    'refuses what is no connection string, and does not repeat it: %s',
    async (url) => {
      const { exitCode, stderr } = await runCli(['migrate', '--url', url]);
      expect([exitCode, stderr]).toEqual([
        2,
        'The connection string is no URL that begins with postgres:// or postgresql://.\n',
      ]);
    },
  );
});
