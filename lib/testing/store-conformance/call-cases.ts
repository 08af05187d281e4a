import assert from 'node:assert/strict';
import { endedResult } from '../../approvals/ledger/index.js';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import {
  approve,
  assertSame,
  BOB,
  claimed,
  EXPIRY_MS,
  itemsOf,
  LEASE_MS,
  newApproval,
  newCall,
  replyOf,
  said,
  startRun,
} from './fixtures.js';

const DONE = { isError: false, content: { id: 7 } };

/** Proposing, claiming and settling calls. */
export const CALL_CASES: readonly ConformanceCase[] = [
  conformanceCase('propose: writes the reply, the calls and the approvals together', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    const { state: _, ...rest } = call;
    const [record] = await store.calls(run.conversationId);
    const { updatedAt, ...others } = record ?? { updatedAt: 0 };
    assert.ok(updatedAt > 0);
    const ids = { conversationId: run.conversationId, approvalId: approval.approvalId };
    assertSame(others, { ...rest, ...ids, state: 'waiting', attempts: 0 });
    const kept = await store.approval(approval.approvalId);
    assertSame(
      [kept?.state, kept?.reason, kept?.requester, kept?.roles],
      ['pending', 'moves money', approval.requester, ['lead']],
    );
    assertSame([kept?.quorum, kept?.mayRequesterDecide, kept?.votes], [1, false, []]);
    assert.equal((kept?.expiresAt ?? 0) - (kept?.createdAt ?? 0), EXPIRY_MS);
    const [request] = await itemsOf(store, run.conversationId, 'approval_request');
    assert.equal(request?.expiresAt, kept?.expiresAt, 'the journal has the end by the store’s clock');
  }),

  conformanceCase(
    'propose: writes nothing where its fence or its seq is not the last, or a row does not fit',
    async ({ store }) => {
      const run = await startRun(store);
      const calls = [newCall(run.runId)];
      const items = [replyOf(run.runId, calls)];
      assert.equal((await run.propose({ items, calls, expectedSeq: 0 })).kind, 'conflict');
      assert.equal((await run.propose({ items, calls, fence: run.claim.fence + 1 })).kind, 'fenced');
      assert.equal((await run.propose({ items, calls, fence: undefined })).kind, 'fenced');
      const [taken] = await run.proposeReady({});
      assert.ok(taken);
      const waiting = newCall(run.runId, { state: 'waiting' });
      const approval = newApproval(waiting.callId);
      for (const rows of [
        { calls: [newCall(run.runId), taken] },
        { calls: [waiting] },
        { calls: [], approvals: [approval] },
        { calls: [newCall(run.runId, { callId: waiting.callId })], approvals: [approval] },
        { calls: [waiting, waiting], approvals: [approval] },
        { calls: [waiting], approvals: [approval, newApproval(waiting.callId)] },
        { calls: [waiting], approvals: [{ ...approval, quorum: 0 }] },
        { calls: [waiting], approvals: [{ ...approval, expiresInMs: 0 }] },
        { calls: [newCall(run.runId, { state: 'failed' })] },
        { calls: [newCall(run.runId, { result: DONE })] },
      ]) {
        await assert.rejects(run.propose({ items: [said('half')], ...rows }), { code: 'journal_write_invalid' });
      }
      assert.equal((await store.read(run.conversationId)).length, 2);
      assert.equal((await store.calls(run.conversationId)).length, 1);
      assert.equal(await store.approval(approval.approvalId), undefined);
      await run.proposeGated(approval, { callId: waiting.callId });
    },
  ),

  conformanceCase('propose: does nothing a second time', async ({ store }) => {
    const run = await startRun(store);
    const calls = [newCall(run.runId)];
    const proposal = run.proposal({ items: [replyOf(run.runId, calls)], calls, operationId: 'step-1' });
    const first = await store.propose(run.conversationId, proposal);
    assert.equal(first.kind, 'appended');
    await store.claimCall(run.conversationId, calls[0]?.callId ?? '', run.claim.fence);
    const again = await store.propose(run.conversationId, proposal);
    assertSame(again, { ...first, kind: 'repeated' });
    assertSame(
      (await store.calls(run.conversationId)).map(({ state }) => state),
      ['executing'],
    );
  }),

  conformanceCase('propose: keeps a call that has failed already, with its result', async ({ store }) => {
    const run = await startRun(store);
    const result = { isError: true, content: { code: 'tool_unknown' } };
    const [call] = await run.proposeReady({ state: 'failed', result });
    assert.ok(call);
    assertSame((await run.call(call.callId)).result, result);
    assert.equal(await store.claimCall(run.conversationId, call.callId, run.claim.fence), undefined);
  }),

  conformanceCase('calls: are in the order of run, step and index, and filtered', async ({ store }) => {
    const run = await startRun(store);
    await run.proposeReady({ index: 2 }, { index: 0 }, { index: 1 });
    await run.proposeReady({ step: 2 });
    await run.proposeReady({ runId: 'a-later-run', step: 1 });
    const placesOf = async (filter?: Parameters<typeof store.calls>[1]) =>
      (await store.calls(run.conversationId, filter)).map(
        ({ step, index, runId }) => `${runId === run.runId} ${step}.${index}`,
      );
    const all = ['true 1.0', 'true 1.1', 'true 1.2', 'true 2.0', 'false 1.0'];
    assert.deepEqual(await placesOf(), all);
    assert.deepEqual(await placesOf({ runId: run.runId }), all.slice(0, 4));
    assert.deepEqual(await placesOf({ runId: run.runId, step: 2 }), ['true 2.0']);
    assert.deepEqual(await placesOf({ states: ['executing', 'waiting'] }), []);
    assert.deepEqual(await placesOf({ states: ['ready'] }), all);
  }),

  conformanceCase('claimCall: lets one claim a ready call, once, under the live fence', async ({ store }) => {
    const run = await startRun(store);
    const [call] = await run.proposeReady({});
    assert.ok(call);
    const claim = (fence: number) => store.claimCall(run.conversationId, call.callId, fence);
    assert.equal(await claim(run.claim.fence + 1), undefined, 'no such claim');
    const record = await claim(run.claim.fence);
    assertSame([record?.state, record?.fence, record?.attempts], ['executing', run.claim.fence, 1]);
    assert.equal(await claim(run.claim.fence), undefined, 'it is running');
    assert.equal(await store.claimCall(run.conversationId, 'no-such-call', run.claim.fence), undefined);
  }),

  conformanceCase('claimCall: yields nothing once the lease has ended', async ({ store, advance }) => {
    const run = await startRun(store);
    const [call] = await run.proposeReady({});
    assert.ok(call);
    await advance(LEASE_MS + 1);
    assert.equal(await store.claimCall(run.conversationId, call.callId, run.claim.fence), undefined);
    assert.equal((await run.call(call.callId)).state, 'ready');
  }),

  conformanceCase('claimCall: yields nothing of a call that waits', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    assert.equal(await store.claimCall(run.conversationId, call.callId, run.claim.fence), undefined);
    await store.decide(approve(approval));
    assert.equal((await store.claimCall(run.conversationId, call.callId, run.claim.fence))?.state, 'executing');
  }),

  conformanceCase('settleCall: ends a call for good, under the fence that claimed it', async ({ store }) => {
    for (const state of ['succeeded', 'failed', 'cancelled', 'unknown'] as const) {
      const run = await startRun(store);
      const [call] = await run.proposeReady({});
      assert.ok(call);
      const settlement = {
        conversationId: run.conversationId,
        callId: call.callId,
        fence: run.claim.fence,
        state,
        result: DONE,
      };
      assert.equal(await store.settleCall(settlement), false, 'it does not run');
      await store.claimCall(run.conversationId, call.callId, run.claim.fence);
      assert.equal(await store.settleCall({ ...settlement, fence: run.claim.fence + 1 }), false);
      assert.equal(await store.settleCall({ ...settlement, callId: 'no-such-call' }), false);
      assert.equal(await store.settleCall(settlement), true);
      assert.equal(await store.settleCall({ ...settlement, state: 'failed' }), false, 'it has ended');
      const record = await run.call(call.callId);
      assertSame([record.state, record.result], [state, DONE]);
    }
  }),

  conformanceCase('settleCall: takes what happened also after the lease has ended', async ({ store, advance }) => {
    const run = await startRun(store);
    const [call] = await run.proposeReady({});
    assert.ok(call);
    await store.claimCall(run.conversationId, call.callId, run.claim.fence);
    await advance(LEASE_MS + 1);
    const ids = { conversationId: run.conversationId, callId: call.callId, fence: run.claim.fence };
    assert.equal(await store.settleCall({ ...ids, state: 'succeeded', result: DONE }), true);
  }),

  conformanceCase(
    'takeover: a repeatable call runs again, and its first runner is not heard',
    async ({ store, advance }) => {
      const run = await startRun(store);
      const [call] = await run.proposeReady({ isRepeatable: true });
      assert.ok(call);
      await store.claimCall(run.conversationId, call.callId, run.claim.fence);
      await advance(LEASE_MS + 1);
      const { fence } = await claimed(store, run.conversationId, 'replica-2');
      assert.deepEqual(await store.abandonCalls(run.conversationId, fence), []);
      const again = await store.claimCall(run.conversationId, call.callId, fence);
      assertSame([again?.attempts, again?.fence, again?.idempotencyKey], [2, fence, call.idempotencyKey]);
      assert.equal(await store.claimCall(run.conversationId, call.callId, fence), undefined);
      const ids = { conversationId: run.conversationId, callId: call.callId, result: DONE };
      assert.equal(await store.settleCall({ ...ids, fence: run.claim.fence, state: 'failed' }), false);
      assert.equal(await store.settleCall({ ...ids, fence, state: 'succeeded' }), true);
    },
  ),

  conformanceCase(
    'takeover: a call that cannot be repeated becomes unknown, and never runs again',
    async ({ store, advance }) => {
      const run = await startRun(store);
      const [call, ready] = await run.proposeReady({}, {});
      assert.ok(call && ready);
      await store.claimCall(run.conversationId, call.callId, run.claim.fence);
      assert.deepEqual(await store.abandonCalls(run.conversationId, run.claim.fence), [], 'it runs under this fence');
      assert.deepEqual(await store.abandonCalls(run.conversationId, run.claim.fence + 1), [], 'no such claim');
      await advance(LEASE_MS + 1);
      const { fence } = await claimed(store, run.conversationId, 'replica-2');
      assert.equal(await store.claimCall(run.conversationId, call.callId, fence), undefined);
      const [unknown, ...more] = await store.abandonCalls(run.conversationId, fence);
      assertSame([unknown?.callId, unknown?.state, unknown?.result], [call.callId, 'unknown', endedResult('unknown')]);
      assert.equal(more.length, 0, 'a call that nobody began is left alone');
      assert.deepEqual(await store.abandonCalls(run.conversationId, fence), []);
      assert.equal(await store.claimCall(run.conversationId, call.callId, fence), undefined);
      const late = { conversationId: run.conversationId, callId: call.callId, fence: run.claim.fence, result: DONE };
      assert.equal(await store.settleCall({ ...late, state: 'succeeded' }), false);
    },
  ),

  conformanceCase('unknownCalls: lists what no operator has looked at', async ({ store, advance }) => {
    const ids: { conversationId: string; callId: string }[] = [];
    for (let index = 0; index < 3; index += 1) {
      const run = await startRun(store);
      const [call] = await run.proposeReady({});
      assert.ok(call);
      await store.claimCall(run.conversationId, call.callId, run.claim.fence);
      const key = { conversationId: run.conversationId, callId: call.callId };
      await store.settleCall({ ...key, fence: run.claim.fence, state: 'unknown', result: endedResult('unknown') });
      ids.push(key);
      await advance(1000);
    }
    const listed = async (limit: number) =>
      (await store.unknownCalls(limit)).map(({ conversationId, callId }) => ({ conversationId, callId }));
    assert.deepEqual(await listed(10), ids);
    assert.deepEqual(await listed(2), ids.slice(0, 2));
    const { conversationId = '', callId = '' } = ids[0] ?? {};
    assert.equal(await store.acknowledgeUnknown(conversationId, callId, BOB), true);
    assert.equal(await store.acknowledgeUnknown(conversationId, callId, BOB), false);
    assert.equal(await store.acknowledgeUnknown(conversationId, 'no-such-call', BOB), false);
    assert.deepEqual(await listed(10), ids.slice(1));
    const run = await startRun(store);
    const [ready] = await run.proposeReady({});
    assert.equal(await store.acknowledgeUnknown(run.conversationId, ready?.callId ?? '', BOB), false);
  }),
];
