import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defineAgent, InMemoryAgentStore, toMessages, type AgentStore, type RunAgentOptions } from 'nestjs-palette';
import { FakeClock, ScriptedModel } from 'nestjs-palette/testing';
import { approvalsOf, BOSS, pendingOf } from './support/approvals.js';
import { itemsOf, journalFaults } from './support/journal.js';
import {
  answerOf,
  randomCrashes,
  randomTurns,
  runFaults,
  toolsOf,
  type Crash,
  type ToolRun,
  type Turn,
} from './support/random-scripts.js';
import { collect, say } from './support/running.js';
import { storeProxy } from './support/store-proxy.js';

const LEASE_MS = 30_001;

/** A conversation that processes die in, one after the other. */
class Crashing {
  readonly runs: ToolRun[] = [];
  readonly #clock = new FakeClock();
  readonly store = new InMemoryAgentStore({ clock: this.#clock });
  readonly #crashes: Crash[];

  constructor(
    private readonly turns: readonly Turn[],
    crashes: readonly Crash[],
    private readonly isApproved: boolean,
  ) {
    this.#crashes = [...crashes];
  }

  async play(): Promise<void> {
    for (const { question } of this.turns) {
      for (let attempt = 0; ; attempt++) {
        if (attempt > 12) throw new Error('it never ends');
        if (await this.#isOver(question)) break;
        const message = (await this.#wasAsked(question)) ? undefined : question;
        await this.#process(message);
        await this.check();
        await this.#decide();
        await this.#clock.advance(LEASE_MS);
      }
    }
  }

  /** What holds whatever happened, and whenever it is looked at. */
  async check(): Promise<void> {
    if ((await this.store.find('c-1')) === undefined) return;
    const entries = await this.store.read('c-1');
    expect(journalFaults(entries)).toEqual([]);
    const messages = toMessages(entries);
    const items = entries.map(({ item }) => item);
    const said = items.flatMap((item) => {
      if (item.type === 'user_message') return [['user', item.text, 0]];
      return item.type === 'assistant_message' ? [['assistant', item.text, item.toolCalls.length]] : [];
    });
    const told = messages.flatMap((message) =>
      message.role === 'tool'
        ? []
        : [[message.role, message.text, 'toolCalls' in message ? message.toolCalls.length : 0]],
    );
    expect(told).toEqual(said);
    const faults = runFaults(this.runs, await this.store.calls('c-1'));
    expect(faults.filter((fault) => !fault.includes('is left'))).toEqual([]);
    const keys = new Map(this.runs.map(({ call, key }) => [call, key]));
    expect(new Set(keys.values()).size).toBe(keys.size);
  }

  async #process(message: string | undefined): Promise<void> {
    const crash = this.#crashes.shift();
    const store = crash === undefined ? this.store : crashing(this.store, crash);
    const model = new ScriptedModel((request) => answerOf(this.turns, request));
    const agent = defineAgent({ name: 'helper', model, tools: toolsOf(this.runs) });
    const options = { store, approvals: approvalsOf(store), clock: this.#clock } as Partial<RunAgentOptions>;
    try {
      await collect(say(agent, message, options as never));
    } catch (error) {
      if (crash === undefined) throw error;
    }
  }

  async #decide(): Promise<void> {
    for (const { approvalId, argumentsHash } of await pendingOf(this.store)) {
      const verdict = this.isApproved ? 'approve' : 'deny';
      await this.store.decide({ approvalId, verdict, by: BOSS, argumentsHash });
    }
  }

  async #wasAsked(question: string): Promise<boolean> {
    if ((await this.store.find('c-1')) === undefined) return false;
    return (await this.store.read('c-1')).some(({ item }) => item.type === 'user_message' && item.text === question);
  }

  async #isOver(question: string): Promise<boolean> {
    return (await this.#wasAsked(question)) && (await itemsOf(this.store)).at(-1) === 'run_ended';
  }
}

/** From one call on, nothing comes through any more. */
function crashing(inner: AgentStore, { at, isDone }: Crash): AgentStore {
  const fail = (isGone: boolean): void => {
    if (isGone) throw new Error('the process is gone');
  };
  return storeProxy(inner, {
    before: (_method, count) => fail(isDone ? count > at : count >= at),
    after: (_method, count) => fail(isDone && count === at),
  }).store;
}

describe('any conversation whose processes die anywhere', () => {
  it('comes to its end: valid for everybody, nothing said is lost, nothing runs twice that may not', async () => {
    await fc.assert(
      fc.asyncProperty(randomTurns, randomCrashes, fc.boolean(), async (turns, crashes, isApproved) => {
        const world = new Crashing(turns, crashes, isApproved);
        await world.play();
        expect(runFaults(world.runs, await world.store.calls('c-1'))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  }, 60_000);

  it('and whose processes do not die runs each call once, and answers', async () => {
    await fc.assert(
      fc.asyncProperty(randomTurns, async (turns) => {
        const calm = turns.map((turn) => ({
          ...turn,
          steps: turn.steps.map(({ text, calls }) => ({ text, calls: calls.filter(({ kind }) => kind !== 'throws') })),
        }));
        const some = calm.map((turn) => ({ ...turn, steps: turn.steps.filter(({ calls }) => calls.length > 0) }));
        const world = new Crashing(some, [], true);
        await world.play();
        const calls = some.flatMap(({ steps }) => steps.flatMap((step) => step.calls));
        expect(world.runs).toHaveLength(calls.length);
        const answers = toMessages(await world.store.read('c-1')).filter(({ role }) => role === 'assistant');
        expect(answers.at(-1)).toMatchObject({ text: 'a2' });
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
