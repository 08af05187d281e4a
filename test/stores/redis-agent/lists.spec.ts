import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { RedisAgentStore } from 'nestjs-palette/redis';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

const ALICE = { subject: 'alice' };
const EXPIRY_MS = 600_000;

describeOnRedis('long lists in Redis', () => {
  let place: RedisPlace;
  let store: RedisAgentStore;

  beforeAll(() => {
    place = new RedisPlace('lists');
  });
  beforeEach(async () => {
    await place.clear();
    store = place.store();
  });
  afterAll(() => place.close());

  /** Approvals of one conversation, for operations `0` to `count - 1`. */
  async function ask(count: number): Promise<readonly string[]> {
    const { id } = await store.open(randomUUID(), ALICE);
    const claim = await store.claimRun(id, 'replica', EXPIRY_MS);
    const call = { runId: 'run', step: 1, agent: 'a', toolCallId: 't', toolName: 'refund', isRepeatable: false };
    const text = { arguments: '{}', argumentsHash: 'hash', idempotencyKey: 'key', state: 'waiting' } as const;
    const calls = Array.from({ length: count }, (_, index) => ({ ...call, ...text, index, callId: randomUUID() }));
    const policy = { roles: [], mayRequesterDecide: false, quorum: 1, expiresInMs: EXPIRY_MS };
    const approvals = calls.map(({ callId, index }) => ({
      ...policy,
      approvalId: randomUUID(),
      callId,
      reason: 'moves money',
      operation: String(index),
      requester: ALICE,
    }));
    await store.propose(id, { expectedSeq: 0, fence: claim?.fence, items: [], calls, approvals });
    return approvals.map(({ approvalId }) => approvalId);
  }

  it('are searched to their end, however far apart what is wanted stands', async () => {
    const ids = await ask(2500);
    const last = await store.approvals({ operation: '2499' });
    expect(last.approvals.map(({ approvalId }) => approvalId)).toEqual([ids[2499]]);
    expect(last.next).toBeUndefined();
    expect((await store.approvals({ operation: 'none' })).approvals).toEqual([]);
    const decide = (approvalId = '') =>
      store.decide({ approvalId, verdict: 'approve', by: { subject: 'bob' }, argumentsHash: 'hash' });
    for (const place of [5, 1500, 2400]) await decide(ids[place]);
    const page = await store.approvals({ states: ['approved'] }, { limit: 2 });
    expect(page.approvals.map(({ approvalId }) => approvalId)).toEqual([ids[5], ids[1500]]);
    const rest = await store.approvals({ states: ['approved'] }, { limit: 2, after: page.next });
    expect([rest.approvals.map(({ approvalId }) => approvalId), rest.next]).toEqual([[ids[2400]], undefined]);
    expect((await store.approvals({ states: ['pending'] }, { limit: 1, after: page.next })).approvals).toMatchObject([
      { operation: '1501' },
    ]);
  });

  it('end as far as they are asked to', async () => {
    await ask(350);
    await place.advance(EXPIRY_MS + 1);
    expect(await store.expireApprovals(0)).toEqual([]);
    expect(await store.expireApprovals(230)).toHaveLength(230);
    expect(await store.expireApprovals(1000)).toHaveLength(120);
    expect(await store.expireApprovals(1000)).toEqual([]);
    expect(await place.client.zcard(place.key('pending'))).toBe(0);
  });

  it('are empty where nothing is asked for', async () => {
    await ask(1);
    expect([await store.runnable(0), await store.unknownCalls(0)]).toEqual([[], []]);
    expect((await store.approvals({ states: [] })).approvals).toEqual([]);
  });
});
