import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { eventually } from '../../support/eventually.js';
import { describeOnPostgres } from './support/describe-on-postgres.js';
import { poolOf, PostgresPlace } from './support/postgres-store.js';

const ALICE = { subject: 'alice' };
const message = (text: string) => ({ type: 'queued_message', text, principal: ALICE }) as const;

/** Longer than any test lasts: what is seen before was pushed. */
const NEVER_MS = 600_000;

describeOnPostgres('following a journal in PostgreSQL', () => {
  let place: PostgresPlace;
  let readers: Pool;
  let id: string;
  let conversations = 0;

  beforeAll(async () => {
    place = await PostgresPlace.open('push');
  });
  beforeEach(async () => {
    readers = poolOf(4);
    id = `conversation-${(conversations += 1)}`;
    await place.store().open(id, ALICE);
  });
  afterAll(() => place.close());

  function follow(options: { push?: boolean; pollMs: number }): { texts: string[]; stop: () => Promise<void> } {
    const abort = new AbortController();
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { item } of place.store(options, readers).watch(id, 1, abort.signal) ?? []) {
        if (item.type === 'queued_message') texts.push(item.text);
      }
    })();
    return {
      texts,
      stop: async () => {
        abort.abort();
        await reading;
      },
    };
  }

  async function say(text: string): Promise<void> {
    const store = place.store();
    const expectedSeq = (await store?.find(id))?.lastSeq ?? 0;
    await store?.append(id, { expectedSeq, items: [message(text)] });
  }

  /** Ends the connections that listen, as a server that restarts does. */
  async function cutListeners(): Promise<number> {
    const found = await place.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN "palette_journal_%' AND pid <> pg_backend_pid()`,
    );
    return found?.rowCount ?? 0;
  }

  it('is pushed by whoever writes, on another pool, within a second', async () => {
    const { texts, stop } = follow({ pollMs: NEVER_MS });
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    const said = Date.now();
    await say('b');
    await eventually(() => expect(texts).toEqual(['a', 'b']));
    expect(Date.now() - said).toBeLessThan(1000);
    await stop();
    await readers.end();
  });

  it('goes on without a push, by looking', async () => {
    const { texts, stop } = follow({ push: false, pollMs: 50 });
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    expect(readers.totalCount - readers.idleCount).toBeLessThanOrEqual(1);
    await stop();
    await readers.end();
  });

  it('survives the loss of its connection, and listens again', async () => {
    readers.on('error', () => undefined);
    const { texts, stop } = follow({ pollMs: 200 });
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    await eventually(async () => expect(await cutListeners()).toBeGreaterThan(0));
    await say('b');
    await eventually(() => expect(texts).toEqual(['a', 'b']));
    // It listens again: there is something to cut.
    await eventually(async () => expect(await cutListeners()).toBeGreaterThan(0));
    await say('c');
    await eventually(() => expect(texts).toEqual(['a', 'b', 'c']));
    await stop();
    await readers.end();
  });

  it('holds one connection for any number of readers, and gives it back with the last of them', async () => {
    const store = place.store({ pollMs: NEVER_MS }, readers);
    const abort = new AbortController();
    let seen = 0;
    const all = Array.from({ length: 30 }, async () => {
      for await (const _ of store.watch(id, 1, abort.signal)) seen += 1;
    });
    await eventually(() => expect(readers.totalCount - readers.idleCount).toBe(1));
    await say('a');
    await eventually(() => expect(seen).toBe(30));
    abort.abort();
    await Promise.all(all);
    await eventually(() => expect(readers.totalCount - readers.idleCount).toBe(0));
    await readers.end();
  });

  it('tells readers in one schema nothing of another', async () => {
    const other = await PostgresPlace.open('push_other');
    const { texts, stop } = follow({ pollMs: NEVER_MS });
    await other.store().open(id, ALICE);
    await other.store().append(id, { expectedSeq: 0, items: [message('elsewhere')] });
    await say('here');
    await eventually(() => expect(texts).toEqual(['here']));
    await stop();
    await readers.end();
    await other.close();
  });
});
