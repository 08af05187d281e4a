import assert from 'node:assert/strict';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import { ALICE, approve, assertSame, BOB, said, startRun } from './fixtures.js';

/** Texts that storage has been known to change. Not all are JSON: what a model writes need not be. */
const AWKWARD_TEXTS: readonly string[] = [
  '{"at":"2026-01-31T23:59:59.999+02:00"}',
  '{"id":"900719925474099312345678901234567890"}',
  '{"n":9007199254740993,"f":1.0,"e":1E+2,"z":-0}',
  '{ "spaced" :\t[ 1 ,2 ]\n}',
  '{"b":1,"a":2,"a":3}',
  '{"name":"Zoë, Zoe\u0301, 😀, \ufeff\u2028\u202e"}',
  '{"__proto__":{"isAdmin":true},"constructor":1}',
  '{"nul":"\\u0000","lone":"\\ud800","quote":"\\"","slash":"\\\\"}',
  '{"lone":"\ud800 and \udc00"}',
  'nul \u0000 and escape \u001b \u001b0000 \u001bd800',
  "'; DROP TABLE x; -- $1 ? :a %s {0}",
  '\\x00\\u0000\\',
  '',
  ' ',
];

const VALUES: readonly unknown[] = [
  null,
  0,
  -1.5e-7,
  9007199254740991,
  '',
  false,
  [],
  {},
  [[], [{}], [[null]]],
  { __proto: 1, nested: { deep: ['\u0000', '\ud800', '\u001b0000'] } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  ...AWKWARD_TEXTS,
];

/** What is kept comes back as it was. */
export const VALUE_CASES: readonly ConformanceCase[] = [
  conformanceCase('values: arguments come back byte for byte', async ({ store }) => {
    const run = await startRun(store);
    for (const [index, text] of AWKWARD_TEXTS.entries()) {
      const { call, approval } = await run.proposeGated(
        {},
        { step: index + 1, arguments: text, toolCallId: text, toolName: text },
      );
      const record = await run.call(call.callId);
      assert.deepEqual([record.arguments, record.toolCallId, record.toolName], [text, text, text]);
      const kept = await store.approval(approval.approvalId);
      assert.deepEqual([kept?.arguments, kept?.toolCallId, kept?.toolName], [text, text, text]);
      const reply = (await store.read(run.conversationId, { fromSeq: run.lastSeq - 1 }))[0]?.item;
      assert.ok(reply?.type === 'assistant_message');
      assert.equal(reply.toolCalls[0]?.arguments, text);
    }
  }),

  conformanceCase('values: edited arguments, comments and reasons come back byte for byte', async ({ store }) => {
    const run = await startRun(store);
    for (const [index, text] of AWKWARD_TEXTS.entries()) {
      const { call, approval } = await run.proposeGated(
        { reason: text, roles: [text] },
        { step: index + 1, arguments: text },
      );
      const edited = { arguments: `${text}!`, argumentsHash: 'another' };
      await store.decide(approve(approval, { subject: `bob ${text}` }, { comment: text, edited }));
      run.lastSeq += 1;
      const kept = await store.approval(approval.approvalId);
      assert.deepEqual(
        [kept?.reason, kept?.roles, kept?.arguments, kept?.originalArguments],
        [text, [text], `${text}!`, text],
      );
      assert.deepEqual([kept?.votes[0]?.comment, kept?.votes[0]?.by.subject], [text, `bob ${text}`]);
      assert.equal((await run.call(call.callId)).arguments, `${text}!`);
    }
  }),

  conformanceCase('values: results and items come back as the JSON they were', async ({ store }) => {
    const run = await startRun(store);
    const rest = {
      runId: run.runId,
      step: 1,
      agent: 'support',
      callId: 'c',
      toolCallId: 't',
      toolName: 'list',
      isError: false,
    };
    for (const [index, content] of VALUES.entries()) {
      await run.append({ type: 'tool_result', ...rest, content });
      const [entry] = await store.read(run.conversationId, { fromSeq: run.lastSeq });
      assertSame(entry?.item, { type: 'tool_result', ...rest, content });
      const [call] = await run.proposeReady({ step: index + 2 });
      assert.ok(call);
      await store.claimCall(run.conversationId, call.callId, run.claim.fence);
      const ids = { conversationId: run.conversationId, callId: call.callId, fence: run.claim.fence };
      await store.settleCall({ ...ids, state: 'succeeded', result: { isError: false, content } });
      assertSame((await run.call(call.callId)).result, { isError: false, content });
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  }),

  conformanceCase('values: principals come back as they were, and differ where they do', async ({ store }) => {
    for (const [index, text] of AWKWARD_TEXTS.entries()) {
      const owner = { subject: `s${text}`, tenant: `t${text}`, scopes: [text] };
      const id = `conversation-${index}`;
      assertSame((await store.open(id, owner)).owner, owner);
      assertSame((await store.find(id, owner))?.owner, owner);
      assert.equal(await store.find(id, { ...owner, tenant: `t${text}x` }), undefined);
    }
    await store.open('nowhere', { subject: 'alice' });
    assert.equal(
      await store.find('nowhere', { subject: 'alice', tenant: '' }),
      undefined,
      'no tenant is not an empty one',
    );
  }),

  conformanceCase('values: an item and arguments of a megabyte', async ({ store }) => {
    const run = await startRun(store);
    const large = `{"text":"${'é'.repeat(500_000)}"}`;
    await run.append(said(large));
    const [call] = await run.proposeReady({ arguments: large });
    assert.ok(call);
    assert.equal((await run.call(call.callId)).arguments === large, true);
    const item = (await store.read(run.conversationId))[1]?.item;
    assert.ok(item?.type === 'user_message' && item.text === large);
  }),

  conformanceCase('values: a journal of a thousand items is read, followed and continued', async ({ store }) => {
    const run = await startRun(store);
    await run.append(...Array.from({ length: 499 }, (_, index) => said(`${index}`)));
    for (let count = 500; count < 1000; count += 100) {
      await run.append(...Array.from({ length: 100 }, (_, index) => said(`${count + index}`)));
    }
    const entries = await store.read(run.conversationId);
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: 1000 }, (_, index) => index + 1),
    );
    const abort = new AbortController();
    let seen = 0;
    for await (const { seq } of store.watch(run.conversationId, 1, abort.signal)) {
      seen += 1;
      assert.equal(seq, seen);
      if (seq === 1000) abort.abort();
    }
    assert.equal(seen, 1000);
    assert.equal((await store.open(run.conversationId, ALICE)).lastSeq, 1000);
    assert.equal(await store.find(run.conversationId, BOB), undefined);
  }),
];
