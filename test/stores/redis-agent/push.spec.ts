import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RedisOptions } from 'ioredis';
import type { RedisAgentStore, RedisAgentStoreOptions } from 'nestjs-palette/redis';
import { eventually } from '../../support/eventually.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { gatedCall } from './support/gated-call.js';
import { RedisPlace } from './support/redis-place.js';

const ALICE = { subject: 'alice' };
const message = (text: string) => ({ type: 'queued_message', text, principal: ALICE }) as const;

/** Longer than any test lasts: what is seen before was pushed. */
const NEVER_MS = 600_000;
/** What the connections that listen are called. */
const READERS = `readers-${process.pid}`;

describeOnRedis('following a journal in Redis', () => {
  let place: RedisPlace;
  let id: string;
  let conversations = 0;

  beforeAll(() => {
    place = new RedisPlace('push');
  });
  beforeEach(async () => {
    id = `conversation-${(conversations += 1)}`;
    await place.store().open(id, ALICE);
  });
  afterAll(() => place.close());

  function follow(options: Partial<RedisAgentStoreOptions>, client: RedisOptions = {}, readers = 1) {
    const store = place.store({ client: place.connect({ connectionName: READERS, ...client }), ...options });
    const abort = new AbortController();
    const texts: string[] = [];
    const reading = Array.from({ length: readers }, async () => {
      for await (const { item } of store.watch(id, 1, abort.signal)) {
        if (item.type === 'queued_message') texts.push(item.text);
      }
    });
    const stop = async () => {
      abort.abort();
      await Promise.all(reading);
    };
    return { store, texts, stop };
  }

  async function say(text: string, store: RedisAgentStore = place.store(), to = id): Promise<void> {
    const expectedSeq = (await store.find(to))?.lastSeq ?? 0;
    await store.append(to, { expectedSeq, items: [message(text)] });
  }

  const channel = () => `{${place.keyPrefix}}:journal:${id}`;

  /** How many connections listen to the conversation. */
  async function listeners(): Promise<number> {
    return Number((await place.client.pubsub('NUMSUB', channel()))[1]);
  }

  /** Ends the connections of this file that listen, as a server that restarts does. */
  async function cutListeners(): Promise<void> {
    const list = (await place.client.client('LIST', 'TYPE', 'PUBSUB')) as string;
    const own = list.split('\n').filter((line) => line.includes(`name=${READERS}`));
    for (const line of own) await place.client.client('KILL', 'ID', /id=(\d+)/.exec(line)?.[1] ?? '');
  }

  it.each<[string, RedisOptions]>([
    ['any client', {}],
    ['one that sets a prefix of its own', { keyPrefix: 'application:' }],
    ['one that connects when it has to', { lazyConnect: true }],
  ])('is pushed by whoever writes, on another connection, within a second: %s', async (_, options) => {
    const writer = place.store({ client: place.connect(options) });
    await writer.open(id, ALICE);
    const { texts, stop } = follow({ pollMs: NEVER_MS }, options);
    await say('a', writer);
    await eventually(() => expect(texts).toEqual(['a']));
    const said = Date.now();
    await say('b', writer);
    await eventually(() => expect(texts).toEqual(['a', 'b']));
    expect(Date.now() - said).toBeLessThan(1000);
    await stop();
  });

  it('is told of a decision that another store takes, within a second', async () => {
    const store = place.store({ client: place.connect(), pollMs: NEVER_MS });
    const { conversationId, approvalId } = await gatedCall(store);
    const watched = store.watch(conversationId, 3, new AbortController().signal)[Symbol.asyncIterator]();
    const next = watched.next();
    await eventually(async () => {
      const [, count] = await place.client.pubsub('NUMSUB', `{${place.keyPrefix}}:journal:${conversationId}`);
      expect(count).toBe(1);
    });
    const decided = Date.now();
    await place.store().decide({ approvalId, verdict: 'approve', by: { subject: 'bob' }, argumentsHash: 'hash' });
    const { value } = await next;
    expect(value?.item).toMatchObject({ type: 'approval_decision', outcome: 'approved', approvalId });
    expect(Date.now() - decided).toBeLessThan(1000);
    await watched.return?.();
  });

  it('goes on without a push, by looking', async () => {
    const { texts, stop } = follow({ push: false, pollMs: 50 });
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    expect(await listeners()).toBe(0);
    await stop();
  });

  it('is told of nothing by a store that does not push', async () => {
    const { texts, stop } = follow({ pollMs: NEVER_MS });
    await eventually(async () => expect(await listeners()).toBe(1));
    await say('a', place.store({ push: false }));
    await say('b');
    await eventually(() => expect(texts).toEqual(['a', 'b']));
    await stop();
  });

  it('survives the loss of its connection, and listens again', async () => {
    const { texts, stop } = follow({ pollMs: NEVER_MS });
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    await eventually(async () => expect(await listeners()).toBe(1));
    await cutListeners();
    await say('b');
    await eventually(() => expect(texts).toEqual(['a', 'b']));
    await eventually(async () => expect(await listeners()).toBe(1));
    await say('c');
    await eventually(() => expect(texts).toEqual(['a', 'b', 'c']));
    await stop();
  });

  it('begins anew where the client gave its connection up', async () => {
    const { texts, stop } = follow({ pollMs: 50 }, { retryStrategy: () => null });
    await eventually(async () => expect(await listeners()).toBe(1));
    await cutListeners();
    await eventually(async () => expect(await listeners()).toBe(1));
    await say('a');
    await eventually(() => expect(texts).toEqual(['a']));
    await stop();
  });

  it('holds one connection for any number of readers, and ends it with the last of them', async () => {
    const { texts, stop } = follow({ pollMs: NEVER_MS }, {}, 30);
    await eventually(async () => expect(await listeners()).toBe(1));
    await say('a');
    await eventually(() => expect(texts).toHaveLength(30));
    await stop();
    await eventually(async () => expect(await listeners()).toBe(0));
  });

  it('listens to what is followed, and to nothing else', async () => {
    const store = place.store({ client: place.connect(), pollMs: NEVER_MS });
    const aborts = [new AbortController(), new AbortController()] as const;
    const ids = [id, `${id}-other`] as const;
    await store.open(ids[1], ALICE);
    const seen: string[] = [];
    const readings = ids.map(async (each, index) => {
      for await (const _ of store.watch(each, 1, (aborts[index] as AbortController).signal)) seen.push(each);
    });
    const channels = async () => (await place.client.pubsub('CHANNELS', `{${place.keyPrefix}}:*`)) as string[];
    await eventually(async () => expect(await channels()).toHaveLength(2));
    await say('a', store, ids[1]);
    await eventually(() => expect(seen).toEqual([ids[1]]));
    aborts[0].abort();
    await readings[0];
    await eventually(async () => expect(await channels()).toEqual([`{${place.keyPrefix}}:journal:${ids[1]}`]));
    aborts[1].abort();
    await readings[1];
    await eventually(async () => expect(await channels()).toEqual([]));
  });

  it('goes on by looking after the store was closed, whose client stays open', async () => {
    const { store, texts, stop } = follow({ pollMs: 50 });
    await eventually(async () => expect(await listeners()).toBe(1));
    store.close();
    await eventually(async () => expect(await listeners()).toBe(0));
    await say('a', store);
    await eventually(() => expect(texts).toEqual(['a']));
    expect(await listeners()).toBe(0);
    await stop();
  });

  describe('of any conversation', () => {
    const hinted = (options: Partial<RedisAgentStoreOptions> = {}, client: RedisOptions = {}) => {
      const connection = place.connect({ connectionName: READERS, ...client });
      const store = place.store({ client: connection, pollMs: NEVER_MS, ...options });
      let count = 0;
      const stop = store.onWritten(() => (count += 1));
      return { store, stop, count: () => count };
    };
    const patterns = async () => Number(await place.client.pubsub('NUMPAT'));

    it.each<[string, RedisOptions]>([
      ['any client', {}],
      ['one that sets a prefix of its own', { keyPrefix: 'app*[x]?:' }],
    ])('whoever asks is told of each write, within a second: %s', async (_, client) => {
      const before = await patterns();
      const writer = place.store({ client: place.connect(client) });
      const { stop, count } = hinted({}, client);
      await eventually(async () => expect(await patterns()).toBe(before + 1));
      for (const to of [id, '*', `${id} other`]) {
        await writer.open(to, ALICE);
        await eventually(() => expect(count()).toBeGreaterThan(0));
        const [seen, said] = [count(), Date.now()];
        await say('a', writer, to);
        await eventually(() => expect(count()).toBeGreaterThan(seen));
        expect(Date.now() - said).toBeLessThan(1000);
      }
      stop();
      await eventually(async () => expect(await patterns()).toBe(before));
      const seen = count();
      await say('b', writer);
      expect(count()).toBe(seen);
    });

    it('and of what was written while its connection was lost', async () => {
      const { store, stop, count } = hinted({}, { retryStrategy: () => null });
      await eventually(() => expect(count()).toBeGreaterThan(0));
      await cutListeners();
      // What is told may come after the write was answered: it counts from here on, and not from each write.
      const seen = count();
      await eventually(async () => {
        // A sweeper, which looks for what can go on, listens again by that.
        await store.runnable(1);
        await say('a');
        expect(count()).toBeGreaterThan(seen);
      });
      stop();
    });

    it('and nobody where the store pushes nothing', async () => {
      const { stop, count } = hinted({ push: false });
      await say('a');
      await say('b');
      expect(count()).toBe(0);
      stop();
    });
  });

  it('tells readers under one prefix nothing of another', async () => {
    const other = new RedisPlace('push_other');
    const { texts, stop } = follow({ pollMs: NEVER_MS });
    await other.store().open(id, ALICE);
    await say('elsewhere', other.store());
    await say('here');
    await eventually(() => expect(texts).toEqual(['here']));
    await stop();
    await other.close();
  });
});
