import { describe, expect, it } from '@jest/globals';
import fc, { type Scheduler } from 'fast-check';
import { defineAgent, InMemoryAgentStore, PaletteError, toMessages } from 'nestjs-palette';
import type { AgentEvent, AgentStore, OpenRunPolicy, RunAgentOptions } from 'nestjs-palette';
import { FakeClock, ScriptedModel } from 'nestjs-palette/testing';
import { approvalsOf, BOSS, pendingOf } from './support/approvals.js';
import { itemsOf, journalFaults } from './support/journal.js';
import { answerOf, runFaults, randomTurns, toolsOf, type ToolRun, type Turn } from './support/random-scripts.js';
import { collect, say } from './support/running.js';
import { storeProxy } from './support/store-proxy.js';

const ROUNDS = 1_000;
const ATTEMPTS = 8;

interface Ended {
  readonly events: readonly AgentEvent[];
  /** The code of what was thrown. */
  readonly code: string | undefined;
}

/** Processes at one conversation, every call of whose store comes through when the scheduler says so. */
class Crowd {
  readonly runs: ToolRun[] = [];
  readonly #clock = new FakeClock();
  readonly store = new InMemoryAgentStore({ clock: this.#clock });

  constructor(
    private readonly turns: readonly Turn[],
    private readonly scheduler: Scheduler,
    /** What goes by now and then at first, in milliseconds: more than a lease, or less. */
    private readonly pauseMs: number,
  ) {}

  /**
   * Tries until it gets in, a few times.
   * @param message undefined: goes on with whatever is open
   */
  async process(label: string, message: string | undefined, onOpenRun: OpenRunPolicy): Promise<Ended> {
    const before = (method: string) => this.scheduler.schedule(Promise.resolve(), `${label} ${method}`);
    const { store } = storeProxy(this.store, { before });
    for (let attempt = 1; ; attempt++) {
      const ended = await this.#run(store, message, { onOpenRun, whenWaiting: 'wait' });
      if (ended.code === undefined || attempt === ATTEMPTS) return ended;
    }
  }

  /** Decides about whatever waits, until it is told to stop. */
  async decide(verdict: 'approve' | 'deny', isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.scheduler.schedule(Promise.resolve(), 'decide');
      for (const { approvalId, argumentsHash } of await pendingOf(this.store)) {
        await this.store.decide({ approvalId, verdict, by: BOSS, argumentsHash });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets everything come through, in whatever order, and time go on where nothing else does. */
  async settle(isOver: () => boolean): Promise<void> {
    for (let round = 0; !isOver(); round++) {
      if (round > ROUNDS) throw new Error('it never ends');
      for (let turn = 0; turn < 5 && this.scheduler.count() > 0; turn++) await this.scheduler.waitOne();
      await new Promise((resolve) => setImmediate(resolve));
      // While somebody is in the middle of something.
      if (round % 4 === 3) await this.#clock.advance(round < 40 ? this.pauseMs : 1_000);
    }
  }

  /** What is left is taken up, one process after the other. */
  async finish(): Promise<void> {
    for (let attempt = 0; attempt < 12; attempt++) {
      await this.#clock.advance(30_001);
      const { code } = await this.#run(this.store, undefined, {});
      if (code === 'agent_message_missing') return;
      expect(code).toBeUndefined();
      for (const { approvalId, argumentsHash } of await pendingOf(this.store)) {
        await this.store.decide({ approvalId, verdict: 'deny', by: BOSS, argumentsHash });
      }
    }
    throw new Error('something is always left');
  }

  async #run(store: AgentStore, message: string | undefined, extra: object): Promise<Ended> {
    const model = new ScriptedModel((request) => answerOf(this.turns, request));
    const agent = defineAgent({ name: 'helper', model, tools: toolsOf(this.runs) });
    const options = { store, approvals: approvalsOf(store), clock: this.#clock, ...extra } as Partial<RunAgentOptions>;
    try {
      return { events: await collect(say(agent, message, options as never)), code: undefined };
    } catch (error) {
      if (!PaletteError.isInstance(error)) throw error;
      return { events: [], code: error.code };
    }
  }
}

const policies = fc.constantFrom<OpenRunPolicy>('supersede', 'queue', 'reject');
const REFUSALS: readonly unknown[] = [undefined, 'conversation_busy', 'agent_message_missing'];

describe('any processes at one conversation, however their steps fall', () => {
  it('run nothing twice, lose no message that they took, and tell the model what happened', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        randomTurns,
        policies,
        fc.constantFrom('approve' as const, 'deny' as const),
        fc.constantFrom(1_000, 11_000, 31_000),
        async (scheduler, turns, policy, verdict, pauseMs) => {
          const crowd = new Crowd(turns, scheduler, pauseMs);
          let left = 4;
          const isOver = (): boolean => left === 0;
          const done = <T>(ended: T): T => (left--, ended);
          const all = Promise.all([
            crowd.process('one', 'q1', 'reject').then(done),
            crowd.process('two', undefined, 'reject').then(done),
            crowd.process('three', 'q2', policy).then(done),
            crowd.process('four', undefined, 'reject').then(done),
          ]);
          const deciding = crowd.decide(verdict, isOver);
          await crowd.settle(isOver);
          const [one, two, three, four] = await all;
          scheduler.waitAll().catch(() => undefined);
          await deciding;
          for (const { code } of [one, two, three, four]) expect(REFUSALS).toContain(code);
          await crowd.finish();

          const entries = await crowd.store.read('c-1');
          expect(journalFaults(entries)).toEqual([]);
          // Nobody said anything where whoever had nothing to say was the quickest.
          if (entries.length > 0) expect((await itemsOf(crowd.store)).at(-1)).toBe('run_ended');
          expect(runFaults(crowd.runs, await crowd.store.calls('c-1'))).toEqual([]);
          const said = toMessages(entries).flatMap((message) => (message.role === 'user' ? message.text : []));
          const taken = [one, three].flatMap(({ code }, index) => (code === undefined ? `q${index + 1}` : []));
          expect([...said].sort()).toEqual(taken);
          for (const { events } of [one, two, three, four]) {
            if (events.length > 0) expect(events.at(-1)?.type).toBe('done');
          }
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);
});
