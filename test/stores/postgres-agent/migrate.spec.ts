import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { migrate, PostgresAgentStore } from 'nestjs-palette/postgres';
import type { OwnPlace } from '../../support/servers.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { ownSchema, poolOf } from './support/postgres-store.js';

const ALL = ['0001-agent-store.sql'];
const ALICE = { subject: 'alice' };

describeOnPostgres('migrate', () => {
  let place: OwnPlace;
  let pool: Pool;

  beforeAll(async () => {
    place = await ownSchema('migrate');
    pool = poolOf(8);
  });
  beforeEach(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS "${place.place}" CASCADE`);
  });
  afterAll(async () => {
    await pool.end();
    await place.drop();
  });

  it('creates schema and tables, and says what it ran', async () => {
    const schema = place.place;
    expect(await migrate(pool, { schema })).toEqual(ALL);
    const { rows } = await pool.query('SELECT table_name FROM information_schema.tables WHERE table_schema = $1', [
      schema,
    ]);
    expect(rows.map((row: { table_name: string }) => row.table_name).sort()).toEqual([
      'palette_approvals',
      'palette_calls',
      'palette_conversations',
      'palette_entries',
      'palette_migrations',
      'palette_operations',
    ]);
    await expect(new PostgresAgentStore(pool, { schema }).open('one', ALICE)).resolves.toMatchObject({ id: 'one' });
  });

  it('does nothing a second time, and keeps what is there', async () => {
    const schema = place.place;
    await migrate(pool, { schema });
    const store = new PostgresAgentStore(pool, { schema });
    await store.open('one', ALICE);
    expect(await migrate(pool, { schema })).toEqual([]);
    expect(await store.find('one')).toBeDefined();
  });

  it('is run by one of many that begin at once', async () => {
    const schema = place.place;
    const runs = await Promise.all(Array.from({ length: 6 }, () => migrate(pool, { schema })));
    expect(runs.filter((names) => names.length > 0)).toEqual([ALL]);
  });

  it('leaves migrations of a later version alone', async () => {
    const schema = place.place;
    await migrate(pool, { schema });
    await pool.query(`INSERT INTO "${schema}".palette_migrations (name) VALUES ('9999-later.sql')`);
    expect(await migrate(pool, { schema })).toEqual([]);
  });

  it('does not change the search path of the connections that it used', async () => {
    const single = poolOf(1);
    const before = await single.query('SHOW search_path');
    await migrate(single, { schema: place.place });
    expect((await single.query('SHOW search_path')).rows).toEqual(before.rows);
    await single.end();
  });

  it('is what a store without tables asks for', async () => {
    const store = new PostgresAgentStore(pool, { schema: place.place });
    for (const attempt of [
      () => store.find('one'),
      () => store.runnable(1),
      () => store.open('one', ALICE),
      () => store.claimRun('one', 'a', 1),
    ]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'store_not_migrated',
        message: expect.stringContaining('Call `migrate()` of `nestjs-palette/postgres`') as unknown,
      });
    }
  });

  it('takes names of schemas, and nothing that is none', async () => {
    for (const schema of ['', 'a"b', 'a.b', 'a b', '1a', 'x'.repeat(64), 'a;b']) {
      expect(() => new PostgresAgentStore(pool, { schema })).toThrow(
        '[store_options_invalid] PostgresAgentStore: `schema`',
      );
      await expect(migrate(pool, { schema })).rejects.toMatchObject({ code: 'store_options_invalid' });
    }
    expect(() => new PostgresAgentStore(pool, { schema: 'Agents_2-eu' })).not.toThrow();
  });
});
