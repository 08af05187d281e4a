import { expect } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryAgentStore } from '../../../lib/approvals/memory/index.js';
import type { AgentStore } from '../../../lib/approvals/ledger/index.js';
import { PaletteError } from '../../../lib/common/index.js';
import { FakeClock, type StoreUnderTest } from '../../../lib/testing/index.js';
import { ACTS, BEGINNING, CONVERSATIONS, type Act, type World } from './random-acts.js';

/** Longer than a store takes for an act, so that no two are of one time. The long one is near no end of a lease or an approval. */
const PAUSE_MS = 100;
const LONG_PAUSE_MS = 400_000;
/** What is by a clock, of which each store has its own. */
const TIMES = new Set(['at', 'updatedAt', 'createdAt', 'expiresAt', 'decidedAt']);
const ALICE = { subject: 'alice' };

interface Step {
  readonly act: Act;
  readonly pauseMs: number;
}

const pauses = fc.oneof(
  { weight: 14, arbitrary: fc.constant(PAUSE_MS) },
  { weight: 1, arbitrary: fc.constant(LONG_PAUSE_MS) },
);
const steps = fc
  .array(fc.record<Step>({ act: ACTS, pauseMs: pauses }), { minLength: 10, maxLength: 60 })
  .map((random) => [...BEGINNING.map((act) => ({ act, pauseMs: PAUSE_MS })), ...random]);

/**
 * Holds a store against the one in memory: random acts, on both, come to the same outcomes, and leave the same behind.
 *
 * @param open yields the store, with nothing in it
 */
export async function expectAsInMemory(open: () => Promise<StoreUnderTest>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { store, replica = store, advance, close } = await open();
      const clock = new FakeClock();
      const memory = new InMemoryAgentStore({ clock });
      const world: World = { claims: new Map(), seqs: new Map() };
      for (const id of CONVERSATIONS) for (const each of [store, memory]) await each.open(id, ALICE);
      for (const [index, { act, pauseMs }] of all.entries()) {
        await advance(pauseMs);
        await clock.advance(pauseMs);
        const outcome = await outcomeOf(act.run(index % 2 === 0 ? store : replica, world));
        const expected = await outcomeOf(act.run(memory, world));
        expect({ act: act.name, outcome: plain(outcome) }).toEqual({ act: act.name, outcome: plain(expected) });
        await look(memory, world, expected);
      }
      expect(await keptBy(store)).toEqual(await keptBy(memory));
      await close?.();
    }),
    { numRuns, endOnFailure: true },
  );
}

async function outcomeOf(outcome: Promise<unknown>): Promise<unknown> {
  try {
    return await outcome;
  } catch (error) {
    return PaletteError.isInstance(error) ? { error: error.message } : Promise.reject(error);
  }
}

/** What the next acts know. */
async function look(memory: AgentStore, { claims, seqs }: World, outcome: unknown): Promise<void> {
  const claim = outcome as Parameters<typeof memory.releaseRun>[0] | undefined;
  if (claim?.holder !== undefined) claims.set(claim.conversationId, claim);
  for (const id of CONVERSATIONS) seqs.set(id, (await memory.find(id))?.lastSeq ?? 0);
}

async function keptBy(store: AgentStore): Promise<unknown> {
  const kept: unknown[] = [];
  for (const id of CONVERSATIONS) {
    kept.push(await store.find(id), await store.read(id), await store.calls(id), await store.calls(id, { step: 2 }));
    kept.push(await store.calls(id, { runId: 'run-1', states: ['ready', 'executing', 'denied'] }));
    kept.push(await store.approvals({ conversationId: id, states: ['pending', 'expired'] }, { limit: 2 }));
  }
  kept.push(
    await store.approvals({}),
    await store.approvals({ states: ['pending'] }),
    await store.approvals({ tenant: 'acme' }),
  );
  const unknown = await store.unknownCalls(100);
  // Those of one time are in no order.
  kept.push(unknown.map(({ conversationId, callId }) => `${conversationId} ${callId}`).sort());
  kept.push([...(await store.runnable(100))].sort());
  return plain(kept);
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each: unknown) => {
    // A store is free in what its cursors look like.
    if (key === 'next') return each !== undefined;
    return TIMES.has(key) ? undefined : each;
  });
  return text === undefined ? undefined : JSON.parse(text);
}
