import assert from 'node:assert/strict';
import { conformanceCase, type ConformanceCase } from './conformance-case.js';
import { approve, said, startRun } from './fixtures.js';

/** Following a journal. */
export const WATCH_CASES: readonly ConformanceCase[] = [
  conformanceCase(
    'watch: yields what is there and what comes, each once and in order',
    async ({ store, replica = store }) => {
      const run = await startRun(store);
      await run.append(said('b'));
      const abort = new AbortController();
      const seen: number[] = [];
      for await (const { seq } of replica.watch(run.conversationId, 1, abort.signal)) {
        seen.push(seq);
        if (seq === 2) await run.append(said('c'), said('d'));
        if (seq === 4) void run.append(said('e'));
        if (seq === 5) abort.abort();
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5]);
    },
  ),

  conformanceCase('watch: begins where it is told, and tells of decisions', async ({ store, replica = store }) => {
    const run = await startRun(store);
    const { approval } = await run.proposeGated();
    const abort = new AbortController();
    setTimeout(() => void replica.decide(approve(approval)), 20);
    for await (const { seq, item } of store.watch(run.conversationId, run.lastSeq + 1, abort.signal)) {
      assert.equal(seq, run.lastSeq + 1);
      assert.equal(item.type, 'approval_decision');
      abort.abort();
    }
  }),

  conformanceCase('watch: ends when its signal aborts, while it waits and before it begins', async ({ store }) => {
    const run = await startRun(store);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 20);
    let entries = 0;
    for await (const _ of store.watch(run.conversationId, 1, abort.signal)) entries += 1;
    assert.equal(entries, 1);
    for await (const _ of store.watch(run.conversationId, 1, abort.signal)) entries += 1;
    assert.equal(entries, 1);
  }),

  conformanceCase('watch: lets any number of readers follow, and one leave', async ({ store }) => {
    const run = await startRun(store);
    const abort = new AbortController();
    const follow = async (last: number) => {
      for await (const { seq } of store.watch(run.conversationId, 1, abort.signal)) if (seq === last) return seq;
      return 0;
    };
    const readers = [1, 2, 3, 3, 3].map(follow);
    await readers[0];
    await run.append(said('b'));
    await run.append(said('c'));
    assert.deepEqual(await Promise.all(readers), [1, 2, 3, 3, 3]);
    abort.abort();
  }),
];
