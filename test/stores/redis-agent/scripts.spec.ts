import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { storeConformance } from 'nestjs-palette/testing';
import { claimedCall, readyCall } from '../agent-support/claimed-call.js';
import { gatedCall } from './support/gated-call.js';
import { alteredClient, type Send } from './support/altered-client.js';
import { describeOnRedis } from './support/describe-on-redis.js';
import { RedisPlace } from './support/redis-place.js';

const DONE = { state: 'succeeded', result: { isError: false, content: null } } as const;
const BOB = { subject: 'bob' };

describeOnRedis('the scripts of RedisAgentStore', () => {
  let place: RedisPlace;

  beforeAll(() => {
    place = new RedisPlace('scripts');
  });
  afterAll(() => place.close());

  it('are sent by their digest, and in full where Redis has forgotten them', async () => {
    const sent: string[] = [];
    const client = alteredClient(place.client, (command, send) => {
      sent.push(command);
      return send();
    });
    const store = place.store({ client });
    const { conversationId } = await readyCall(store);
    await store.calls(conversationId);
    await place.client.script('FLUSH');
    sent.length = 0;
    await expect(store.calls(conversationId)).resolves.toHaveLength(1);
    await expect(store.calls(conversationId)).resolves.toHaveLength(1);
    expect(sent).toEqual(['evalsha', 'eval', 'evalsha']);
  });

  it('tell what went wrong in them', async () => {
    await place.client.set(place.key('conversation:wrong'), 'no hash');
    await expect(place.store().find('wrong')).rejects.toThrow('WRONGTYPE');
  });

  it('write under one hash tag, which a cluster keeps on one node, behind whatever the client sets before', async () => {
    const own = new RedisPlace('scripts_own');
    const client = own.connect({ keyPrefix: 'application:' });
    await gatedCall(own.store({ client }));
    const keys = await own.client.keys(`*${own.keyPrefix}*`);
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.filter((key) => !key.startsWith(`application:${own.key('')}`))).toEqual([]);
    await own.close();
  });

  it('leave no trace in any index of what has ended', async () => {
    const own = new RedisPlace('scripts_ended');
    const store = own.store();
    const { conversationId, callId, fence, approvalId } = await gatedCall(store);
    await store.decide({ approvalId, verdict: 'approve', by: BOB, argumentsHash: 'hash' });
    await store.claimCall(conversationId, callId, fence);
    await store.settleCall({ conversationId, callId, fence, ...DONE });
    const expectedSeq = (await store.find(conversationId))?.lastSeq ?? 0;
    const ended = { type: 'run_ended', runId: 'run', outcome: 'completed', agent: 'support' } as const;
    await store.append(conversationId, { expectedSeq, items: [ended], fence });
    const kinds = (await own.client.keys(own.key('*'))).map((key) => key.slice(own.key('').length).split(':')[0]);
    expect(new Set(kinds)).toEqual(
      new Set(['conversation', 'journal', 'call', 'calls', 'runs', 'approval', 'approvals', 'votes', 'last-approval']),
    );
    await own.close();
  });

  it.each([-1, 1])('take no notice of the clock of an application that is a year off: %i', async (years) => {
    const [seconds] = await place.client.time();
    const shifted = Date.now() + years * 31_536_000_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(shifted);
    try {
      const store = place.store();
      const { conversationId, approvalId, fence } = await gatedCall(store);
      expect(await store.expireApprovals(10)).toEqual([]);
      const approval = await store.approval(approvalId);
      const [entry] = await store.read(conversationId);
      const request = (await store.read(conversationId)).find(({ item }) => item.type === 'approval_request');
      expect(Math.abs((approval?.createdAt ?? 0) - Number(seconds) * 1000)).toBeLessThan(60_000);
      expect(entry?.at).toBe(approval?.createdAt);
      expect(request?.item).toMatchObject({ expiresAt: approval?.expiresAt });
      expect(await store.claimRun(conversationId, 'another', 1)).toBeUndefined();
      const append = { expectedSeq: 2, items: [{ type: 'user_message', runId: 'run', text: 'a' } as const], fence };
      expect(await store.append(conversationId, append)).toMatchObject({ kind: 'appended' });
    } finally {
      clock.mockRestore();
    }
  });

  describe('that are sent again, as by a client that lost its connection before it had the answer,', () => {
    /** A store whose every script is run twice: nobody hears the first answer. */
    const twice = () => place.store({ client: alteredClient(place.client, (_, send) => send().then(send)) });

    it('let the one who claimed a call run it, and nobody else', async () => {
      const { conversationId, callId, fence } = await readyCall(place.store());
      const claimed = await twice().claimCall(conversationId, callId, fence);
      expect(claimed).toMatchObject({ state: 'executing', attempts: 1 });
      expect(await twice().claimCall(conversationId, callId, fence)).toBeUndefined();
    });

    it('tell the one who settled a call so, and nobody else', async () => {
      const call = await claimedCall(place.store());
      expect(await twice().settleCall({ ...call, ...DONE })).toBe(true);
      expect(await twice().settleCall({ ...call, ...DONE })).toBe(false);
    });

    it('count one vote, and answer the decision as a repeat', async () => {
      const { approvalId, conversationId } = await gatedCall(place.store());
      const outcome = await twice().decide({ approvalId, verdict: 'approve', by: BOB, argumentsHash: 'hash' });
      expect(outcome).toMatchObject({ kind: 'repeated', approval: { state: 'approved', votes: [{ by: BOB }] } });
      const items = (await place.store().read(conversationId)).map(({ item }) => item.type);
      expect(items.filter((type) => type === 'approval_decision')).toHaveLength(1);
    });

    it('write an operation once', async () => {
      const { conversationId, fence } = await readyCall(place.store());
      const items = [{ type: 'user_message', runId: 'run', text: 'once' } as const];
      const append = { expectedSeq: 1, items, fence, operationId: 'operation' };
      expect(await twice().append(conversationId, append)).toMatchObject({ kind: 'repeated', entries: [{ seq: 2 }] });
      expect(await place.store().read(conversationId)).toHaveLength(2);
    });
  });

  describe('that are forgotten before each of them is sent', () => {
    const forgotten = async (command: string, send: Send) => {
      if (command === 'evalsha') await place.client.script('FLUSH');
      return send();
    };

    it.each(storeConformance().filter(({ name }) => /^(append|claim|propose|decide|withdraw|race)/.test(name)))(
      '$name',
      async ({ run }) => {
        await run(async () => {
          const under = await place.underTest();
          return { ...under, store: place.store({ client: alteredClient(place.client, forgotten) }) };
        });
      },
    );
  });
});
