import assert from 'node:assert/strict';
import { endedResult } from '../../approvals/ledger/index.js';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import { ALICE, approve, assertSame, BOB, EXPIRY_MS, itemsOf, newApproval, newCall, startRun } from './fixtures.js';

/** Withdrawing and expiring, and the lists of approvals. */
export const ENDING_CASES: readonly ConformanceCase[] = [
  conformanceCase('withdraw: ends what waits and what is ready, and nothing that has begun', async ({ store }) => {
    for (const as of ['superseded', 'cancelled'] as const) {
      const run = await startRun(store);
      const gated = await run.proposeGated();
      const [ready, begun] = await run.proposeReady({ step: 2, index: 0 }, { step: 2, index: 1 });
      assert.ok(ready && begun);
      await store.claimCall(run.conversationId, begun.callId, run.claim.fence);
      const ended = await store.withdraw({ conversationId: run.conversationId, as, by: ALICE });
      assertSame(
        ended.map(({ callId, state }) => [callId, state]),
        [
          [gated.call.callId, as],
          [ready.callId, as],
        ],
      );
      for (const { result } of ended) assertSame(result, endedResult(as));
      assert.equal((await run.call(begun.callId)).state, 'executing');
      assert.equal((await store.approval(gated.approval.approvalId))?.state, as);
      const items = await itemsOf(store, run.conversationId, 'approval_decision');
      assertSame(
        items.map(({ outcome, by }) => [outcome, by]),
        [[as, ALICE]],
      );
      assert.deepEqual(await store.withdraw({ conversationId: run.conversationId, as }), []);
      const late = await store.decide(approve(gated.approval));
      assert.ok(late.kind === 'conflict');
      assert.equal(late.approval.state, as);
    }
  }),

  conformanceCase(
    'withdraw: takes back an approved call that nobody began; the approval stays what it was',
    async ({ store }) => {
      const run = await startRun(store);
      const { call, approval } = await run.proposeGated();
      await store.decide(approve(approval));
      const [ended] = await store.withdraw({ conversationId: run.conversationId, as: 'cancelled' });
      assertSame([ended?.callId, ended?.state], [call.callId, 'cancelled']);
      assert.equal((await store.approval(approval.approvalId))?.state, 'approved');
      assert.equal(await store.claimCall(run.conversationId, call.callId, run.claim.fence), undefined);
    },
  ),

  conformanceCase('withdraw: only the calls that are named', async ({ store }) => {
    const run = await startRun(store);
    const one = await run.proposeGated();
    const other = await run.proposeGated({}, { step: 2 });
    const callIds = [other.call.callId, 'no-such-call'];
    assert.equal((await store.withdraw({ conversationId: run.conversationId, as: 'cancelled', callIds })).length, 1);
    assert.equal((await run.call(one.call.callId)).state, 'waiting');
    assert.deepEqual(await store.withdraw({ conversationId: run.conversationId, as: 'cancelled', callIds: [] }), []);
  }),

  conformanceCase(
    'expireApprovals: ends what is past its time, those first whose time was over first',
    async ({ store, advance }) => {
      const run = await startRun(store);
      const late = await run.proposeGated({ expiresInMs: EXPIRY_MS });
      const soon = await run.proposeGated({ expiresInMs: EXPIRY_MS / 2 }, { step: 2 });
      const never = await run.proposeGated({ expiresInMs: EXPIRY_MS * 3 }, { step: 3 });
      assert.deepEqual(await store.expireApprovals(10), []);
      await advance(EXPIRY_MS + 1);
      const expired = async (limit: number) =>
        (await store.expireApprovals(limit)).map((approval) => [approval.approvalId, approval.state]);
      assert.deepEqual(await expired(1), [[soon.approval.approvalId, 'expired']]);
      assert.deepEqual(await expired(10), [[late.approval.approvalId, 'expired']]);
      assert.deepEqual(await expired(10), []);
      const record = await run.call(late.call.callId);
      assertSame([record.state, record.result], ['expired', endedResult('expired')]);
      assert.equal((await run.call(never.call.callId)).state, 'waiting');
      const items = await itemsOf(store, run.conversationId, 'approval_decision');
      assertSame(
        items.map(({ outcome, callId }) => [outcome, callId]),
        [
          ['expired', soon.call.callId],
          ['expired', late.call.callId],
        ],
      );
    },
  ),

  conformanceCase('approvals: page by page, oldest first, each once', async ({ store }) => {
    const run = await startRun(store);
    const ids: string[] = [];
    for (let step = 1; step <= 7; step += 1) ids.push((await run.proposeGated({}, { step })).approval.approvalId);
    const seen: string[] = [];
    let after: string | undefined;
    let pages = 0;
    do {
      const page = await store.approvals({}, { limit: 3, after });
      assert.ok(page.approvals.length <= 3);
      seen.push(...page.approvals.map(({ approvalId }) => approvalId));
      after = page.next;
      pages += 1;
    } while (after !== undefined && pages < 10);
    assert.deepEqual(seen, ids);
    assert.equal(pages, 3);
    assert.equal((await store.approvals({}, { limit: 7 })).next, undefined, 'a full page can be the last');
    assert.equal((await store.approvals({}, { limit: 0 })).approvals.length, 1);
  }),

  conformanceCase('approvals: an `after` that was not given out is refused', async ({ store }) => {
    for (const after of ['', 'x', "1' OR 1=1", '-1', '1e99']) {
      await assert.rejects(store.approvals({}, { after }), { code: 'approval_cursor_invalid' });
    }
  }),

  conformanceCase('approvals: fifty a page, and two hundred at most', async ({ store }) => {
    const run = await startRun(store);
    const calls = Array.from({ length: 205 }, (_, index) => newCall(run.runId, { index, state: 'waiting' }));
    await run.propose({ calls, approvals: calls.map(({ callId }) => newApproval(callId)) });
    assert.equal((await store.approvals({})).approvals.length, 50);
    const page = await store.approvals({}, { limit: 1000 });
    assert.equal(page.approvals.length, 200);
    assert.equal((await store.approvals({}, { after: page.next })).approvals.length, 5);
  }),

  conformanceCase('approvals: by state, conversation, run, operation, tenant and requester', async ({ store }) => {
    const [one, other] = [await startRun(store), await startRun(store)];
    const first = await one.proposeGated({ operation: 'notes.remove' });
    const second = await other.proposeGated({ requester: { subject: 'carol' } });
    await store.decide(approve(first.approval));
    const listed = async (filter: Parameters<typeof store.approvals>[0]) =>
      (await store.approvals(filter)).approvals.map(({ approvalId }) => approvalId);
    const [firstId, secondId] = [first.approval.approvalId, second.approval.approvalId];
    assert.deepEqual(await listed({}), [firstId, secondId]);
    assert.deepEqual(await listed({ states: ['pending'] }), [secondId]);
    assert.deepEqual(await listed({ states: ['approved', 'denied'] }), [firstId]);
    assert.deepEqual(await listed({ states: [] }), []);
    assert.deepEqual(await listed({ conversationId: one.conversationId }), [firstId]);
    assert.deepEqual(await listed({ runId: other.runId }), [secondId]);
    assert.deepEqual(await listed({ operation: 'notes.remove' }), [firstId]);
    assert.deepEqual(await listed({ tenant: 'acme' }), [firstId]);
    assert.deepEqual(await listed({ requester: 'carol' }), [secondId]);
    assert.deepEqual(await listed({ requester: 'carol', tenant: 'acme' }), []);
    assert.deepEqual(await listed({ requester: BOB.subject }), []);
  }),
];
