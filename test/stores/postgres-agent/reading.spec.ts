import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { storeConformance } from 'nestjs-palette/testing';
import { POSTGRES } from '../../support/servers.js';
import { readyCall } from '../agent-support/claimed-call.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { PostgresPlace } from './support/postgres-store.js';

describeOnPostgres('what PostgreSQL keeps', () => {
  let place: PostgresPlace;

  beforeAll(async () => {
    place = await PostgresPlace.open('reading');
  });
  afterAll(() => place.close());

  it('is refused where a later version of the library wrote it, and read where this one did', async () => {
    const store = place.store();
    const { conversationId } = await readyCall(store);
    await expect(store.read(conversationId)).resolves.toHaveLength(1);
    await place.pool.query(`UPDATE ${place.table('entries')} SET schema_version = 7 WHERE conversation_id = $1`, [
      conversationId,
    ]);
    const refusal = {
      code: 'journal_version_unknown',
      message: expect.stringContaining('schema version 7, and this one reads up to 1. Upgrade it.') as unknown,
    };
    await expect(store.read(conversationId)).rejects.toMatchObject(refusal);
    const watched = store.watch(conversationId, 1, new AbortController().signal)[Symbol.asyncIterator]();
    await expect(watched.next()).rejects.toMatchObject(refusal);
  });

  it('stands in its columns as it was written, for whoever looks with other tools', async () => {
    const { conversationId, callId } = await readyCall(place.store());
    const { rows } = await place.pool.query(
      `SELECT c.owner, k.arguments::json AS arguments, e.item::json ->> 'type' AS type
       FROM ${place.table('conversations')} c JOIN ${place.table('calls')} k ON k.conversation_id = c.id
       JOIN ${place.table('entries')} e ON e.conversation_id = c.id WHERE k.call_id = $1`,
      [callId],
    );
    expect(rows).toEqual([{ owner: '{"subject":"alice"}', arguments: {}, type: 'run_started' }]);
    expect(conversationId).toBeDefined();
  });

  it('goes with its conversation', async () => {
    const store = place.store();
    const { conversationId } = await readyCall(store);
    await place.pool.query(`DELETE FROM ${place.table('conversations')} WHERE id = $1`, [conversationId]);
    await expect(store.read(conversationId)).rejects.toMatchObject({ code: 'conversation_unknown' });
    for (const table of ['entries', 'calls']) {
      const { rowCount } = await place.pool.query(`SELECT FROM ${place.table(table)} WHERE conversation_id = $1`, [
        conversationId,
      ]);
      expect(rowCount).toBe(0);
    }
  });

  it('leaves no connection behind, whatever goes wrong on it', async () => {
    const pool = place.pool;
    const store = place.store();
    const attempts = Array.from({ length: 50 }, (_, index) => [
      store.read(`nowhere-${index}`),
      store.claimRun(`nowhere-${index}`, 'a', 1),
      store.transaction(() => Promise.reject(new Error('no'))),
    ]);
    const outcomes = await Promise.allSettled(attempts.flat());
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(pool.totalCount - pool.idleCount).toBe(0);
  });

  describe('is read alike where an application parses types its own way', () => {
    const { user, host, port, password, database } = POSTGRES;
    // Every type as text, but for booleans; a database whose default isolation is another.
    const types = {
      getTypeParser: (type: number) => (type === 16 ? (text: string) => text === 't' : (text: string) => text),
    };
    const options = '-c default_transaction_isolation=serializable -c timezone=Asia/Kathmandu';
    const pool = new Pool({ user, host, port, password, database, types, options, max: 20 });
    afterAll(() => pool.end());

    it.each(storeConformance().filter(({ name }) => /^(append|claim|decide|values|race)/.test(name)))(
      '$name',
      async ({ run }) => {
        await run(() => place.underTest(pool));
      },
    );
  });
});
