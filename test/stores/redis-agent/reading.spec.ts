import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readyCall } from '../agent-support/claimed-call.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { gatedCall } from './support/gated-call.js';
import { RedisPlace } from './support/redis-place.js';

describeOnRedis('what Redis keeps', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('reading');
  });
  afterAll(() => place.close());

  it('is refused where a later version of the library wrote it, and read where this one did', async () => {
    const store = place.store();
    const { conversationId } = await readyCall(store);
    await expect(store.read(conversationId)).resolves.toHaveLength(1);
    const journal = place.key(`journal:${conversationId}`);
    const entry = (await place.client.lindex(journal, 0)) ?? '';
    expect(entry).toMatch(/^\d+ 1 \{/);
    await place.client.lset(journal, 0, entry.replace(' 1 ', ' 7 '));
    const refusal = {
      code: 'journal_version_unknown',
      message: expect.stringContaining('schema version 7, and this one reads up to 1. Upgrade it.') as unknown,
    };
    await expect(store.read(conversationId)).rejects.toMatchObject(refusal);
    const watched = store.watch(conversationId, 1, new AbortController().signal)[Symbol.asyncIterator]();
    await expect(watched.next()).rejects.toMatchObject(refusal);
  });

  it('stands in its keys for whoever looks with other tools', async () => {
    const { conversationId, callId, approvalId } = await gatedCall(place.store());
    const { client } = place;
    expect(await client.hget(place.key(`conversation:${conversationId}`), 'owner')).toBe('{"subject":"alice"}');
    expect(await client.hget(place.key(`call:["${conversationId}","${callId}"]`), 'state')).toBe('waiting');
    expect(await client.hget(place.key(`approval:${approvalId}`), 'operation')).toBe('refund');
    expect(await client.zrange(place.key('pending'), 0, -1)).toContain(approvalId);
  });

  it('never goes of itself', async () => {
    await gatedCall(place.store());
    const keys = await place.client.keys(place.key('*'));
    const ttls = await Promise.all(keys.map((key) => place.client.ttl(key)));
    expect(new Set(ttls)).toEqual(new Set([-1]));
  });

  it('goes with its conversation, once nobody is at that', async () => {
    const own = new RedisPlace('reading_forgotten');
    const store = own.store();
    const kept = await gatedCall(store);
    const { conversationId: id, fence, approvalId, callId } = await gatedCall(store);
    const claim = { conversationId: id, holder: 'replica', fence, expiresAt: 0 };
    await store.decide({ approvalId, verdict: 'approve', by: { subject: 'bob' }, argumentsHash: 'hash' });
    await store.claimCall(id, callId, fence);
    const result = { isError: true, content: null };
    await store.settleCall({ conversationId: id, callId, fence, state: 'unknown', result });
    const append = { expectedSeq: 3, operationId: 'operation', fence } as const;
    await store.append(id, { ...append, items: [{ type: 'queued_message', text: 'a', principal: { subject: 'a' } }] });

    expect(await store.forgetConversation(id)).toBe(false);
    await store.releaseRun(claim);
    expect(await store.runnable(10)).toEqual([id]);
    expect(await store.forgetConversation(id)).toBe(true);
    expect(await store.forgetConversation(id)).toBe(false);
    expect([await store.runnable(10), await store.unknownCalls(10)]).toEqual([[], []]);
    expect((await store.approvals({})).approvals.map((approval) => approval.approvalId)).toEqual([kept.approvalId]);
    expect((await own.client.keys(own.key('*'))).filter((key) => key.includes(id) || key.includes(approvalId))).toEqual(
      [],
    );
    await own.close();
  });

  it('is read by a client that takes numbers for texts', async () => {
    const store = place.store({ client: place.connect({ stringNumbers: true }) });
    const { conversationId, approvalId } = await gatedCall(store);
    expect(await store.find(conversationId)).toMatchObject({ lastSeq: 2 });
    expect((await store.read(conversationId)).map(({ seq }) => seq)).toEqual([1, 2]);
    const append = {
      expectedSeq: 1,
      items: [{ type: 'queued_message', text: 'a', principal: { subject: 'a' } }],
    } as const;
    expect(await store.append(conversationId, append)).toEqual({ kind: 'conflict', lastSeq: 2 });
    const { approvals, next } = await store.approvals({ conversationId });
    expect([approvals.map((approval) => approval.approvalId), next]).toEqual([[approvalId], undefined]);
  });
});
