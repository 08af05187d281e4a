import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { JOURNAL_SCHEMA_VERSION } from '../../conversations/journal-item.js';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import {
  ALICE,
  assertSame,
  BOB,
  claimed,
  LEASE_MS,
  queued,
  Run,
  said,
  startRun,
  UNKNOWN_CONVERSATION,
} from './fixtures.js';

/** Appending to a journal, and reading it. */
export const JOURNAL_CASES: readonly ConformanceCase[] = [
  conformanceCase('append: numbers entries from 1 without gaps, and stamps them', async ({ store }) => {
    const { id } = await store.open(randomUUID(), ALICE);
    const run = new Run(store, id, await claimed(store, id, 'one'));
    await run.append(said('a'), said('b'));
    await run.append(said('c'));
    const entries = await store.read(id);
    assertSame(
      entries.map(({ conversationId, seq, schemaVersion, item }) => [conversationId, seq, schemaVersion, item]),
      ['a', 'b', 'c'].map((text, index) => [id, index + 1, JOURNAL_SCHEMA_VERSION, said(text)]),
    );
    for (const { at } of entries) assert.ok(Number.isSafeInteger(at) && at > 0, '`at` is a time in milliseconds');
    assert.equal((await store.find(id))?.lastSeq, 3);
  }),

  conformanceCase(
    'append: refuses a writer that has not seen the last entry, and writes nothing',
    async ({ store }) => {
      const run = await startRun(store);
      const append = { expectedSeq: 0, items: [said('late')], fence: run.claim.fence };
      assertSame(await store.append(run.conversationId, append), { kind: 'conflict', lastSeq: 1 });
      assertSame(await store.append(run.conversationId, { ...append, expectedSeq: 2 }), {
        kind: 'conflict',
        lastSeq: 1,
      });
      assert.equal((await store.read(run.conversationId)).length, 1);
      await run.append(said('in time'));
    },
  ),

  conformanceCase(
    'append: answers a repeated operation with its first outcome, whatever else it asks for',
    async ({ store }) => {
      const run = await startRun(store);
      const append = { expectedSeq: 1, items: [said('once')], operationId: 'op', fence: run.claim.fence };
      const first = await store.append(run.conversationId, append);
      assert.equal(first.kind, 'appended');
      assert.ok('entries' in first);
      await store.releaseRun(run.claim);
      for (const again of [append, { ...append, expectedSeq: 2, items: [said('other')], fence: 99 }]) {
        assertSame(await store.append(run.conversationId, again), { kind: 'repeated', entries: first.entries });
      }
      assert.equal((await store.read(run.conversationId)).length, 2);
    },
  ),

  conformanceCase(
    'append: remembers an operation that wrote nothing but rows, and none that was refused',
    async ({ store }) => {
      const run = await startRun(store);
      const append = { expectedSeq: 7, items: [said('a')], operationId: 'op', fence: run.claim.fence };
      assert.equal((await store.append(run.conversationId, append)).kind, 'conflict');
      assert.equal((await store.append(run.conversationId, { ...append, expectedSeq: 1 })).kind, 'appended');
      const empty = { expectedSeq: 2, items: [], operationId: 'empty', fence: run.claim.fence };
      assertSame(await store.append(run.conversationId, empty), { kind: 'appended', entries: [] });
      assertSame(await store.append(run.conversationId, empty), { kind: 'repeated', entries: [] });
    },
  ),

  conformanceCase('append: keeps operations of one id in two conversations apart', async ({ store }) => {
    const [one, other] = [await startRun(store), await startRun(store)];
    for (const run of [one, other]) {
      const append = { expectedSeq: 1, items: [said('a')], operationId: 'op', fence: run.claim.fence };
      assert.equal((await store.append(run.conversationId, append)).kind, 'appended');
    }
  }),

  conformanceCase('append: takes queued messages without a claim, and nothing else', async ({ store }) => {
    const run = await startRun(store);
    const write = (...items: Parameters<Run['append']>) => store.append(run.conversationId, { expectedSeq: 1, items });
    assert.equal((await write(said('forged'))).kind, 'fenced');
    assert.equal((await write(queued('a'), said('forged'))).kind, 'fenced');
    assert.equal((await write(queued('a'), queued('b'))).kind, 'appended');
    assert.equal((await store.find(run.conversationId))?.lastSeq, 3);
  }),

  conformanceCase('append: knows which run is open', async ({ store }) => {
    const run = await startRun(store);
    const { runId, conversationId } = run;
    assert.equal((await store.find(conversationId))?.openRunId, runId);
    await run.append({ type: 'run_ended', runId, outcome: 'completed', agent: 'support' });
    assert.equal((await store.find(conversationId))?.openRunId, undefined);
  }),

  conformanceCase('append: is not changed by what happens to the items afterwards', async ({ store }) => {
    const run = await startRun(store);
    const content = { rows: [1, 2] };
    const rest = { runId: run.runId, step: 1, agent: 'support', callId: 'c', toolCallId: 't', toolName: 'list' };
    await run.append({ type: 'tool_result', ...rest, isError: false, content });
    content.rows.push(3);
    assertSame((await store.read(run.conversationId))[1]?.item, {
      type: 'tool_result',
      ...rest,
      isError: false,
      content: { rows: [1, 2] },
    });
  }),

  conformanceCase('read: begins at `fromSeq`, and stops at `limit`', async ({ store }) => {
    const run = await startRun(store);
    await run.append(...['b', 'c', 'd', 'e'].map((text) => said(text)));
    const seqs = async (range?: Parameters<typeof store.read>[1]) =>
      (await store.read(run.conversationId, range)).map(({ seq }) => seq);
    assert.deepEqual(await seqs(), [1, 2, 3, 4, 5]);
    assert.deepEqual(await seqs({ fromSeq: 3 }), [3, 4, 5]);
    assert.deepEqual(await seqs({ fromSeq: 2, limit: 2 }), [2, 3]);
    assert.deepEqual(await seqs({ fromSeq: 6 }), []);
  }),

  conformanceCase('open: yields the same conversation to its owner, and none to anybody else', async ({ store }) => {
    const id = randomUUID();
    const opened = await store.open(id, ALICE);
    assertSame([opened.id, opened.owner, opened.lastSeq, opened.openRunId], [id, ALICE, 0, undefined]);
    assertSame(await store.open(id, { ...ALICE, scopes: [] }), opened, 'scopes come and go');
    const others = [BOB, { subject: 'alice', tenant: 'other' }, { subject: 'alice' }];
    for (const other of others) {
      await assert.rejects(store.open(id, other), UNKNOWN_CONVERSATION);
      assert.equal(await store.find(id, other), undefined);
    }
    assertSame(await store.find(id, ALICE), opened);
    assertSame(await store.find(id), opened);
  }),

  conformanceCase('open: keeps of a principal what may be kept', async ({ store }) => {
    const withToken = { ...ALICE, token: 'secret' };
    assertSame((await store.open(randomUUID(), withToken)).owner, ALICE);
  }),

  conformanceCase('open: takes ids of 1 to 200 characters, whatever they are', async ({ store }) => {
    for (const id of ['a b/c:%', 'é'.repeat(200), "'; --", 'x\u0000y', '\ud800', '__proto__']) {
      await store.open(id, ALICE);
      assert.equal((await store.find(id))?.id, id);
    }
    assert.equal(await store.find('\ud801'), undefined, 'two ids are not one');
    for (const id of ['', 'x'.repeat(201)]) await assert.rejects(store.open(id, ALICE), UNKNOWN_CONVERSATION);
  }),

  conformanceCase('a conversation that is not there is the same to every method', async ({ store }) => {
    const id = randomUUID();
    const claim = { conversationId: id, holder: 'one', fence: 1, expiresAt: 0 };
    const settlement = { conversationId: id, callId: 'c', fence: 1, result: { isError: false, content: null } };
    assert.equal(await store.find(id), undefined);
    for (const attempt of [
      () => store.append(id, { expectedSeq: 0, items: [queued('a')] }),
      () => store.read(id),
      () => store.claimRun(id, 'one', LEASE_MS),
      () => store.renewRun(claim, LEASE_MS),
      () => store.releaseRun(claim),
      () => store.propose(id, { expectedSeq: 0, items: [], calls: [], approvals: [], fence: 1 }),
      () => store.calls(id),
      () => store.claimCall(id, 'c', 1),
      () => store.settleCall({ ...settlement, state: 'succeeded' }),
      () => store.abandonCalls(id, 1),
      () => store.withdraw({ conversationId: id, as: 'cancelled' }),
      () => store.acknowledgeUnknown(id, 'c', BOB),
      () => store.watch(id, 1, new AbortController().signal)[Symbol.asyncIterator]().next(),
    ]) {
      await assert.rejects(attempt, UNKNOWN_CONVERSATION, attempt.toString());
    }
  }),
];
