import assert from 'node:assert/strict';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import { ALICE, assertSame, claimed, LEASE_MS, queued, said, startRun } from './fixtures.js';

/** The right to write as a run: leases, fences, and what can go on. */
export const CLAIM_CASES: readonly ConformanceCase[] = [
  conformanceCase('claimRun: is one holder’s until it is released', async ({ store }) => {
    const { id } = await store.open('one', ALICE);
    const claim = await claimed(store, id, 'replica-1');
    assertSame([claim.conversationId, claim.holder], [id, 'replica-1']);
    assert.equal(await store.claimRun(id, 'replica-2', LEASE_MS), undefined);
    await store.releaseRun(claim);
    assert.ok((await claimed(store, id, 'replica-2')).fence > claim.fence, 'fences grow');
  }),

  conformanceCase('claimRun: gives the same holder a new fence, and fences the old one', async ({ store }) => {
    const run = await startRun(store);
    const again = await claimed(store, run.conversationId, 'replica-1');
    assert.ok(again.fence > run.claim.fence);
    const append = { expectedSeq: 1, items: [said('a')], fence: run.claim.fence };
    assert.equal((await store.append(run.conversationId, append)).kind, 'fenced');
    assert.equal((await store.append(run.conversationId, { ...append, fence: again.fence })).kind, 'appended');
  }),

  conformanceCase(
    'claimRun: a lease ends by the store’s clock, and another holder takes over',
    async ({ store, advance }) => {
      const run = await startRun(store);
      await advance(LEASE_MS / 2);
      assert.equal(await store.claimRun(run.conversationId, 'replica-2', LEASE_MS), undefined);
      await advance(LEASE_MS / 2 + 1);
      const append = { expectedSeq: 1, items: [said('late')], fence: run.claim.fence };
      assert.equal((await store.append(run.conversationId, append)).kind, 'fenced', 'the lease has ended');
      assert.equal(await store.renewRun(run.claim, LEASE_MS), undefined, 'it cannot be renewed either');
      const claim = await claimed(store, run.conversationId, 'replica-2');
      assert.equal((await store.append(run.conversationId, append)).kind, 'fenced', 'another has been made');
      assert.equal((await store.append(run.conversationId, { ...append, fence: claim.fence })).kind, 'appended');
      assert.equal(await store.renewRun(run.claim, LEASE_MS), undefined);
    },
  ),

  conformanceCase('append: fenced goes before conflict', async ({ store, advance }) => {
    const run = await startRun(store);
    await advance(LEASE_MS + 1);
    const append = { expectedSeq: 7, items: [said('late')], fence: run.claim.fence };
    assert.equal((await store.append(run.conversationId, append)).kind, 'fenced');
  }),

  conformanceCase('renewRun: keeps a claim alive under the same fence', async ({ store, advance }) => {
    const run = await startRun(store);
    await advance(LEASE_MS - LEASE_MS / 4);
    const renewed = await store.renewRun(run.claim, LEASE_MS);
    assert.equal(renewed?.fence, run.claim.fence);
    assert.ok((renewed?.expiresAt ?? 0) >= run.claim.expiresAt, 'it ends later');
    await advance(LEASE_MS - LEASE_MS / 4);
    await run.append(said('still here'));
    assert.equal(await store.claimRun(run.conversationId, 'replica-2', LEASE_MS), undefined);
  }),

  conformanceCase('releaseRun: ends no claim but its own', async ({ store, advance }) => {
    const run = await startRun(store);
    await advance(LEASE_MS + 1);
    await claimed(store, run.conversationId, 'replica-2');
    await store.releaseRun(run.claim);
    assert.equal(await store.claimRun(run.conversationId, 'replica-3', LEASE_MS), undefined);
  }),

  conformanceCase('runnable: an open run that nobody is at', async ({ store, advance }) => {
    const run = await startRun(store);
    assert.deepEqual(await store.runnable(10), []);
    await advance(LEASE_MS + 1);
    assert.deepEqual(await store.runnable(10), [run.conversationId], 'its lease has ended');
    const claim = await claimed(store, run.conversationId, 'replica-2');
    assert.deepEqual(await store.runnable(10), []);
    await store.releaseRun(claim);
    assert.deepEqual(await store.runnable(10), [run.conversationId], 'it was released');
  }),

  conformanceCase('runnable: a queued message until a run takes it up', async ({ store }) => {
    const { id } = await store.open('one', ALICE);
    await store.open('idle', ALICE);
    await store.append(id, { expectedSeq: 0, items: [queued('a')] });
    assert.deepEqual(await store.runnable(10), [id]);
    const claim = await claimed(store, id, 'replica-1');
    const ended = { type: 'run_ended', runId: 'r', outcome: 'completed', agent: 'a' } as const;
    const items = [{ type: 'user_message', runId: 'r', text: 'a', queuedSeq: 1 } as const, ended];
    await store.append(id, { expectedSeq: 1, items, fence: claim.fence });
    await store.releaseRun(claim);
    assert.deepEqual(await store.runnable(10), []);
  }),

  conformanceCase('runnable: none with an approval pending, whatever is queued', async ({ store }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated();
    await store.append(run.conversationId, { expectedSeq: run.lastSeq, items: [queued('meanwhile')] });
    await store.releaseRun(run.claim);
    assert.deepEqual(await store.runnable(10), []);
    const { approvalId } = approval;
    await store.decide({ approvalId, verdict: 'deny', by: ALICE, argumentsHash: 'hash-of-10' });
    assert.deepEqual(await store.runnable(10), [run.conversationId]);
  }),

  conformanceCase('runnable: those first that waited longest, so many at most', async ({ store, advance }) => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const run = await startRun(store);
      await store.releaseRun(run.claim);
      ids.push(run.conversationId);
      await advance(1000);
    }
    assert.deepEqual(await store.runnable(10), ids);
    assert.deepEqual(await store.runnable(2), ids.slice(0, 2));
    await store.releaseRun(await claimed(store, ids[0] ?? '', 'replica-2'));
    assert.deepEqual(await store.runnable(10), [ids[1], ids[2], ids[0]], 'one that was tried goes behind the others');
  }),
];
