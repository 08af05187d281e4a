import assert from 'node:assert/strict';
import { endedResult, type Decision } from '../../approvals/ledger/index.js';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import { ALICE, approve, assertSame, BOB, CAROL, DAVE, deny, EXPIRY_MS, itemsOf, startRun } from './fixtures.js';

const EDITED = { arguments: '{"amount":5}', argumentsHash: 'hash-of-5' };

/** What a person's decision does. */
export const DECISION_CASES: readonly ConformanceCase[] = [
  conformanceCase('decide: an approval makes the call ready, and tells the journal', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    const outcome = await store.decide(approve(approval, BOB, { comment: 'fine' }));
    assert.ok(outcome.kind === 'decided');
    const { state, votes, decidedAt, expiresAt, originalArguments } = outcome.approval;
    assertSame([state, originalArguments], ['approved', undefined]);
    assert.ok(decidedAt !== undefined && decidedAt < expiresAt);
    assertSame(
      votes.map(({ at: _, ...vote }) => vote),
      [{ by: BOB, verdict: 'approve', comment: 'fine', argumentsHash: 'hash-of-10' }],
    );
    assertSame(await store.approval(approval.approvalId), outcome.approval);
    assert.equal((await run.call(call.callId)).state, 'ready');
    const ids = { runId: run.runId, callId: call.callId, approvalId: approval.approvalId };
    assertSame(await itemsOf(store, run.conversationId, 'approval_decision'), [
      { type: 'approval_decision', ...ids, outcome: 'approved', by: BOB, comment: 'fine', isEdited: false },
    ]);
  }),

  conformanceCase('decide: a denial ends the call with a result that says so', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    assert.equal((await store.decide(deny(approval, BOB, { comment: 'too much' }))).kind, 'decided');
    const record = await run.call(call.callId);
    assertSame([record.state, record.result], ['denied', endedResult('denied', 'too much')]);
    assert.equal(await store.claimCall(run.conversationId, call.callId, run.claim.fence), undefined);
    const [item] = await itemsOf(store, run.conversationId, 'approval_decision');
    assertSame([item?.outcome, item?.by, item?.comment], ['denied', BOB, 'too much']);
  }),

  conformanceCase('decide: the same decision again is answered, and changes nothing', async ({ store }) => {
    const run = await startRun(store);
    for (const decision of [approve, deny]) {
      const { approval } = await run.proposeGated();
      const first = await store.decide(decision(approval));
      run.lastSeq += 1;
      assertSame(await store.decide(decision(approval)), { ...first, kind: 'repeated' });
    }
    assert.equal((await itemsOf(store, run.conversationId, 'approval_decision')).length, 2);
  }),

  conformanceCase('decide: whoever comes second is told who won', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    await store.decide(approve(approval, BOB));
    for (const decision of [deny(approval, BOB), approve(approval, CAROL), deny(approval, CAROL)]) {
      const outcome = await store.decide(decision);
      assert.ok(outcome.kind === 'conflict');
      assertSame([outcome.approval.state, outcome.approval.votes[0]?.by], ['approved', BOB]);
    }
    assert.equal((await run.call(call.callId)).state, 'ready');
  }),

  conformanceCase('decide: who decided is a person in a tenant', async ({ store }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated();
    await store.decide(approve(approval, BOB));
    const elsewhere = { ...BOB, tenant: 'other' };
    assert.equal((await store.decide(approve(approval, elsewhere))).kind, 'conflict');
    assert.equal((await store.decide(approve(approval, { ...BOB, scopes: ['more'] }))).kind, 'repeated');
  }),

  conformanceCase('decide: an approval that was never asked for is unknown', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    for (const approvalId of ['no-such-approval', call.callId, '']) {
      assertSame(await store.decide({ ...approve(approval), approvalId }), { kind: 'unknown' });
      assert.equal(await store.approval(approvalId), undefined);
    }
  }),

  conformanceCase('decide: other arguments than those that were shown are stale', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    for (const decision of [approve, deny]) {
      const outcome = await store.decide(decision(approval, BOB, { argumentsHash: 'hash-of-99' }));
      assert.ok(outcome.kind === 'stale');
      assertSame([outcome.approval.state, outcome.approval.votes], ['pending', []]);
    }
    assert.equal((await run.call(call.callId)).state, 'waiting');
    assert.equal((await store.decide(approve(approval))).kind, 'decided');
  }),

  conformanceCase('decide: when its time is over by the store’s clock it is expired', async ({ store, advance }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    await advance(EXPIRY_MS + 1);
    const outcome = await store.decide(approve(approval));
    assert.ok(outcome.kind === 'expired');
    assertSame([outcome.approval.state, outcome.approval.votes], ['expired', []]);
    assert.equal((await store.decide(deny(approval))).kind, 'expired');
    const record = await run.call(call.callId);
    assertSame([record.state, record.result], ['expired', endedResult('expired')]);
    const [item, ...more] = await itemsOf(store, run.conversationId, 'approval_decision');
    assertSame([item?.outcome, item?.by, more.length], ['expired', undefined, 0]);
  }),

  conformanceCase('decide: just before its time is over it is decided', async ({ store, advance }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated();
    await advance(EXPIRY_MS - EXPIRY_MS / 4);
    assert.equal((await store.decide(approve(approval))).kind, 'decided');
  }),

  conformanceCase('decide: edited arguments are what runs, and both versions are kept', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    const decision = approve(approval, BOB, { edited: EDITED });
    const outcome = await store.decide(decision);
    assert.ok(outcome.kind === 'decided');
    const { votes, ...record } = outcome.approval;
    assertSame(
      [record.arguments, record.argumentsHash, record.originalArguments, votes[0]?.argumentsHash],
      ['{"amount":5}', 'hash-of-5', '{"amount":10}', 'hash-of-5'],
    );
    const claimed = await store.claimCall(run.conversationId, call.callId, run.claim.fence);
    assertSame(
      [claimed?.arguments, claimed?.argumentsHash, claimed?.originalArguments],
      ['{"amount":5}', 'hash-of-5', '{"amount":10}'],
    );
    assert.equal((await itemsOf(store, run.conversationId, 'approval_decision'))[0]?.isEdited, true);
    assert.equal((await store.decide(decision)).kind, 'repeated');
    assert.equal((await store.decide(approve(approval))).kind, 'conflict', 'without the edit it is another decision');
  }),

  conformanceCase('decide: a denial edits nothing, nor does an edit to the same arguments', async ({ store }) => {
    const run = await startRun(store);
    const denied = await run.proposeGated();
    await store.decide(deny(denied.approval, BOB, { edited: EDITED }));
    run.lastSeq += 1;
    const same = await run.proposeGated();
    await store.decide(
      approve(same.approval, BOB, { edited: { arguments: '{ "amount": 10 }', argumentsHash: 'hash-of-10' } }),
    );
    for (const { callId } of [denied.call, same.call]) {
      const record = await run.call(callId);
      assertSame([record.arguments, record.originalArguments], ['{"amount":10}', undefined]);
    }
  }),

  conformanceCase('decide: a quorum is so many different persons, and one denial denies', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated({ quorum: 2 });
    assert.equal((await store.decide(approve(approval, BOB))).kind, 'counted');
    assert.equal((await store.decide(approve(approval, BOB))).kind, 'repeated');
    assert.equal((await store.decide(deny(approval, BOB))).kind, 'conflict', 'a vote stands');
    assert.equal((await run.call(call.callId)).state, 'waiting');
    assert.equal((await itemsOf(store, run.conversationId, 'approval_decision')).length, 0);
    const second = await store.decide(approve(approval, CAROL));
    assert.ok(second.kind === 'decided');
    assertSame(
      second.approval.votes.map(({ by }) => by.subject),
      ['bob', 'carol'],
    );
    run.lastSeq += 1;

    const other = await run.proposeGated({ quorum: 3 });
    await store.decide(approve(other.approval, BOB));
    assert.equal((await store.decide(deny(other.approval, CAROL))).kind, 'decided');
    const late = await store.decide(approve(other.approval, BOB));
    assert.ok(late.kind === 'conflict', 'it was settled otherwise');
    assert.equal(late.approval.state, 'denied');
  }),

  conformanceCase('decide: an edit asks everybody else of a quorum anew', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated({ quorum: 2 });
    await store.decide(approve(approval, BOB));
    const edit = await store.decide(approve(approval, CAROL, { edited: EDITED }));
    assert.ok(edit.kind === 'counted', 'nobody else has seen these arguments');
    assertSame([edit.approval.argumentsHash, edit.approval.originalArguments], ['hash-of-5', '{"amount":10}']);
    assert.equal((await store.decide(approve(approval, ALICE))).kind, 'stale');
    assert.equal((await store.decide(approve(approval, BOB))).kind, 'repeated', 'he had said so before');
    const seen = approve(approval, BOB, { argumentsHash: 'hash-of-5' });
    assert.equal((await store.decide(seen)).kind, 'decided');
    assert.equal((await run.call(call.callId)).arguments, '{"amount":5}');
  }),

  conformanceCase(
    'decide: a vote that an edit voided stays void where the arguments are changed back',
    async ({ store }) => {
      const run = await startRun(store);
      const { call, approval } = await run.proposeGated({ quorum: 3 });
      const back = { arguments: '{"amount":10}', argumentsHash: 'hash-of-10' };
      const on = (argumentsHash: string, edited?: typeof EDITED) => ({ argumentsHash, ...(edited && { edited }) });
      const kinds: string[] = [];
      for (const [by, seen] of [
        [BOB, on('hash-of-10')],
        [CAROL, on('hash-of-10', EDITED)],
        [BOB, on('hash-of-5')],
        [DAVE, on('hash-of-5', back)],
        [BOB, on('hash-of-10')],
        [BOB, on('hash-of-10')],
      ] as const) {
        kinds.push((await store.decide(approve(approval, by, seen))).kind);
      }
      assertSame(kinds, ['counted', 'counted', 'counted', 'counted', 'counted', 'repeated']);
      assert.equal((await run.call(call.callId)).state, 'waiting', 'these are two persons');
      assert.equal((await store.decide(deny(approval, BOB))).kind, 'conflict', 'his last vote stands');
      assert.equal((await store.decide(approve(approval, CAROL))).kind, 'decided');
      assertSame(
        [(await run.call(call.callId)).state, (await run.call(call.callId)).arguments],
        ['ready', back.arguments],
      );
    },
  ),

  conformanceCase('decide: whoever edited may do so again after another did', async ({ store }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated({ quorum: 2 });
    const other = { arguments: '{"amount":7}', argumentsHash: 'hash-of-7' };
    await store.decide(approve(approval, BOB, { edited: EDITED }));
    await store.decide(approve(approval, CAROL, { argumentsHash: 'hash-of-5', edited: other }));
    const again = await store.decide(approve(approval, BOB, { argumentsHash: 'hash-of-7', edited: EDITED }));
    assert.ok(again.kind === 'counted', 'it is no repeat: other arguments were shown');
    assert.equal(again.approval.argumentsHash, 'hash-of-5');
    assert.equal((await store.decide(approve(approval, CAROL, { argumentsHash: 'hash-of-5' }))).kind, 'decided');
  }),

  conformanceCase('decide: a verdict that is none counts for nothing', async ({ store }) => {
    const run = await startRun(store);
    const { call, approval } = await run.proposeGated();
    for (const verdict of [undefined, null, '', 'approved', 'Deny', true] as unknown as Decision['verdict'][]) {
      await assert.rejects(store.decide({ ...approve(approval), verdict }), { code: 'journal_write_invalid' });
    }
    assertSame(
      [(await store.approval(approval.approvalId))?.votes, (await run.call(call.callId)).state],
      [[], 'waiting'],
    );
    assert.equal((await store.decide(approve(approval))).kind, 'decided');
  }),

  conformanceCase('decide: two calls of one tool are decided each for itself, in any order', async ({ store }) => {
    const run = await startRun(store);
    const first = await run.proposeGated({}, { index: 0 });
    const second = await run.proposeGated({}, { index: 1 });
    await store.decide(approve(second.approval));
    assert.equal((await run.call(first.call.callId)).state, 'waiting');
    assert.equal((await run.call(second.call.callId)).state, 'ready');
    await store.decide(deny(first.approval));
    assert.equal((await run.call(first.call.callId)).state, 'denied');
    assert.equal((await run.call(second.call.callId)).state, 'ready');
  }),
];
