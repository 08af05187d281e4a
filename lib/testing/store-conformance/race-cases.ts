import assert from 'node:assert/strict';
import type { AgentStore, DecideOutcome } from '../../approvals/ledger/index.js';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import {
  ALICE,
  approve,
  assertSame,
  deny,
  EXPIRY_MS,
  itemsOf,
  LEASE_MS,
  newCall,
  replyOf,
  said,
  startRun,
} from './fixtures.js';

const RIVALS = 8;
const ROUNDS = 5;

/** Many at once, on every instance there is: one of them wins, and the others are told. */
export const RACE_CASES: readonly ConformanceCase[] = [
  conformanceCase('race: of many appends behind one entry, one is written', async ({ store, replica = store }) => {
    const run = await startRun(store);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { conversationId, lastSeq: expectedSeq, claim } = run;
      const outcomes = await rivals([store, replica], (one, index) =>
        one.append(conversationId, { expectedSeq, items: [said(`${index}`)], fence: claim.fence }),
      );
      assert.equal(outcomes.filter(({ kind }) => kind === 'appended').length, 1);
      assert.equal(outcomes.filter(({ kind }) => kind === 'conflict').length, RIVALS - 1);
      run.lastSeq += 1;
    }
    assert.equal((await store.read(run.conversationId)).length, ROUNDS + 1);
  }),

  conformanceCase(
    'race: of many appends of one operation, one is written and the others repeated',
    async ({ store, replica = store }) => {
      const run = await startRun(store);
      const { conversationId, lastSeq: expectedSeq, claim } = run;
      const calls = [newCall(run.runId)];
      const proposal = run.proposal({
        items: [replyOf(run.runId, calls)],
        calls,
        operationId: 'op',
        expectedSeq,
        fence: claim.fence,
      });
      const outcomes = await rivals([store, replica], (one) => one.propose(conversationId, proposal));
      assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [
        'appended',
        ...Array<string>(RIVALS - 1).fill('repeated'),
      ]);
      assert.equal((await store.calls(conversationId)).length, 1);
    },
  ),

  conformanceCase('race: of many who open one conversation, all get it', async ({ store, replica = store }) => {
    const opened = await rivals([store, replica], (one) => one.open('the-one', ALICE));
    for (const conversation of opened) assertSame(conversation, opened[0]);
  }),

  conformanceCase('race: of many who claim a conversation, one gets it', async ({ store, replica = store }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await store.open(`conversation-${round}`, ALICE);
      const claims = await rivals([store, replica], (one, index) => one.claimRun(id, `holder-${index}`, LEASE_MS));
      assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
    }
  }),

  conformanceCase('race: of many who claim a call, one runs it', async ({ store, replica = store }) => {
    const run = await startRun(store);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [call] = await run.proposeReady({ step: round + 1, isRepeatable: round % 2 === 0 });
      assert.ok(call);
      const claims = await rivals([store, replica], (one) =>
        one.claimCall(run.conversationId, call.callId, run.claim.fence),
      );
      assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
      assert.equal((await run.call(call.callId)).attempts, 1);
    }
  }),

  conformanceCase(
    'race: of many who decide, one does and the others are told who',
    async ({ store, replica = store }) => {
      const run = await startRun(store);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { approval } = await run.proposeGated({}, { step: round + 1 });
        const outcomes = await rivals([store, replica], (one, index) =>
          one.decide((index % 3 === 0 ? deny : approve)(approval, { subject: `person-${index}` })),
        );
        run.lastSeq += 1;
        assertOneDecided(outcomes);
        const items = await itemsOf(store, run.conversationId, 'approval_decision');
        assert.equal(items.filter(({ approvalId }) => approvalId === approval.approvalId).length, 1);
      }
    },
  ),

  conformanceCase('race: a quorum of three is three, however many vote at once', async ({ store, replica = store }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated({ quorum: 3 });
    const outcomes = await rivals([store, replica], (one, index) =>
      one.decide(approve(approval, { subject: `person-${index}` })),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'counted').length, 2);
    assert.equal(outcomes.filter(({ kind }) => kind === 'decided').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'conflict').length, RIVALS - 3);
    assert.equal((await store.approval(approval.approvalId))?.votes.length, 3);
  }),

  conformanceCase('race: of a decision and a withdrawal, one happens', async ({ store, replica = store }) => {
    const run = await startRun(store);
    for (let round = 0; round < ROUNDS * 2; round += 1) {
      const { call, approval } = await run.proposeGated({}, { step: round + 1 });
      const withdrawal = { conversationId: run.conversationId, as: 'superseded', callIds: [call.callId] } as const;
      const turns = [() => store.decide(deny(approval)), () => replica.withdraw(withdrawal)];
      if (round % 2 === 0) turns.reverse();
      await Promise.all(turns.map((turn) => turn()));
      run.lastSeq += 1;
      const { state } = (await store.approval(approval.approvalId)) ?? { state: 'pending' };
      assert.ok(state === 'denied' || state === 'superseded');
      assert.equal((await run.call(call.callId)).state, state);
      assert.equal((await itemsOf(store, run.conversationId, 'approval_decision')).length, round + 1);
    }
  }),

  conformanceCase('race: of a withdrawal and a claim, one gets the call', async ({ store, replica = store }) => {
    const run = await startRun(store);
    for (let round = 0; round < ROUNDS * 2; round += 1) {
      const [call] = await run.proposeReady({ step: round + 1 });
      assert.ok(call);
      const [claim, withdrawn] = await Promise.all([
        store.claimCall(run.conversationId, call.callId, run.claim.fence),
        replica.withdraw({ conversationId: run.conversationId, as: 'cancelled', callIds: [call.callId] }),
      ]);
      assert.equal((claim === undefined ? 0 : 1) + withdrawn.length, 1);
    }
  }),

  conformanceCase('race: many who expire find each approval once', async ({ store, replica = store, advance }) => {
    const run = await startRun(store);
    for (let step = 1; step <= 6; step += 1) await run.proposeGated({}, { step });
    await advance(EXPIRY_MS + 1);
    const found = (await rivals([store, replica], (one) => one.expireApprovals(4))).flat();
    found.push(...(await store.expireApprovals(10)));
    assert.equal(found.length, 6);
    assert.equal(new Set(found.map(({ approvalId }) => approvalId)).size, 6);
    assert.equal((await itemsOf(store, run.conversationId, 'approval_decision')).length, 6);
  }),
];

function rivals<T>(stores: readonly AgentStore[], act: (store: AgentStore, index: number) => Promise<T>): Promise<T[]> {
  const storeOf = (index: number) => stores[index % stores.length] as AgentStore;
  return Promise.all(Array.from({ length: RIVALS }, (_, index) => act(storeOf(index), index)));
}

function assertOneDecided(outcomes: readonly DecideOutcome[]): void {
  const winners = outcomes.filter((outcome) => outcome.kind === 'decided');
  const losers = outcomes.filter((outcome) => outcome.kind === 'conflict');
  assert.equal(winners.length, 1);
  assert.equal(losers.length, RIVALS - 1);
  for (const { approval } of losers) assertSame(approval.votes, winners[0]?.approval.votes);
}
