import { describe, expect, it } from '@jest/globals';
import {
  defineAgent,
  InMemoryAgentStore,
  toMessages,
  type AgentEvent,
  type AgentStore,
  type RunAgentOptions,
} from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedResponder } from 'nestjs-palette/testing';
import { approvalsOf, decideAll, pendingOf } from './support/approvals.js';
import { faultsOf, itemsOf, journalFaults } from './support/journal.js';
import { counted, doneOf, ofType, say } from './support/running.js';
import { storeProxy, type StoreHooks } from './support/store-proxy.js';

class StoreDown extends Error {}

/** Two steps of tools, one of them for a person to approve, and an answer: by what was said. */
const script: ScriptedResponder = ({ messages }) => {
  const replies = messages.filter(({ role }) => role === 'assistant').length;
  if (replies === 0)
    return {
      text: 'Let me see.',
      toolCalls: [
        { name: 'book', id: 'b' },
        { name: 'read', id: 'r' },
      ],
    };
  if (replies === 1)
    return {
      toolCalls: [
        { name: 'pay', id: 'p' },
        { name: 'book', id: 'b2' },
      ],
    };
  return 'Done.';
};

/** One conversation that any number of processes may drive, and what its tools did. */
class World {
  readonly clock = new FakeClock();
  readonly inner = new InMemoryAgentStore({ clock: this.clock });
  /** What ran, by its idempotency key. */
  readonly runs = new Map<string, number>();
  readonly #tool = (name: string, options: object = {}) =>
    counted(name, {
      ...options,
      execute: (_input, { caller }) => {
        const key = `${name} ${caller.idempotencyKey}`;
        this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
        return { ran: name };
      },
    }).tool;
  readonly #tools = [
    this.#tool('book'),
    this.#tool('read', { annotations: { readOnly: true } }),
    this.#tool('pay', { approval: 'It costs money.' }),
  ];

  /** A process: its events, and what it threw. */
  async process(store: AgentStore, message: string | undefined): Promise<{ events: AgentEvent[]; thrown: unknown }> {
    const agent = defineAgent({ name: 'helper', model: new ScriptedModel(script), tools: this.#tools });
    const options = { store, approvals: approvalsOf(store), clock: this.clock } as Partial<RunAgentOptions>;
    const events: AgentEvent[] = [];
    try {
      for await (const event of say(agent, message, options as never)) events.push(event);
      return { events, thrown: undefined };
    } catch (thrown) {
      return { events, thrown };
    }
  }

  /** A process of its own that fails as the hooks say, once for the question and once after the decision. */
  async failing(hooks: StoreHooks): Promise<readonly string[]> {
    const { store, calls } = storeProxy(this.inner, hooks);
    for (const message of ['q', undefined]) {
      const { events, thrown } = await this.process(store, message);
      await this.check();
      if (thrown === undefined) expect(events.at(-1)?.type).toBe('done');
      if (events.length > 0) expect(thrown).toBeUndefined();
      if (!(await this.#decides())) break;
    }
    return calls;
  }

  /** Others take it up, once the lease of whoever died is over, until nothing is open. */
  async finished(): Promise<void> {
    for (let attempt = 0; attempt < 6; attempt++) {
      await this.clock.advance(30_001);
      const items = (await this.inner.find('c-1')) === undefined ? [] : await itemsOf(this.inner);
      if (items.at(-1) === 'run_ended') return;
      const { thrown } = await this.process(this.inner, items.includes('user_message') ? undefined : 'q');
      expect(thrown).toBeUndefined();
      await this.check();
      await this.#decides();
    }
    throw new Error('it never ends');
  }

  async #decides(): Promise<boolean> {
    const pending = await pendingOf(this.inner);
    await decideAll(this.inner);
    return pending.length > 0;
  }

  /** What holds whatever happened. */
  async check(): Promise<void> {
    if ((await this.inner.find('c-1')) === undefined) return;
    const entries = await this.inner.read('c-1');
    expect(journalFaults(entries)).toEqual([]);
    for (const [key, count] of this.runs) if (!key.startsWith('read')) expect([key, count]).toEqual([key, 1]);
    if (entries.at(-1)?.item.type !== 'run_ended') return;
    const open = (await this.inner.calls('c-1')).filter(({ state }) => /waiting|ready|executing/.test(state));
    expect(open).toEqual([]);
    expect(await pendingOf(this.inner)).toEqual([]);
  }
}

const all = new World();
const calls = await all.failing({});
const cases = calls.flatMap((method, index) =>
  ['before', 'after'].flatMap((when) => ['once', 'for good'].map((how) => ({ method, n: index + 1, when, how }))),
);

function hooksOf({ n, when, how }: (typeof cases)[number]): StoreHooks {
  const fail = (_method: string, count: number): void => {
    if (count === n || (how === 'for good' && count > n)) throw new StoreDown('the database is gone');
  };
  // A store that is gone for good does nothing any more; the call that it went in was done, or not.
  const gone = (method: string, count: number): void =>
    count > n && how === 'for good' ? fail(method, count) : undefined;
  return when === 'before' ? { before: fail } : { before: gone, after: fail };
}

describe('a store that fails in the middle of a run', () => {
  it('would be called often', async () => {
    expect(calls.length).toBeGreaterThan(25);
    expect((await itemsOf(all.inner)).at(-1)).toBe('run_ended');
    expect([...all.runs.values()]).toEqual([1, 1, 1, 1]);
  });

  it.each(cases)(
    'leaves a run that is over, or that others go on with: call $n, $method, $when, $how',
    async (each) => {
      const world = new World();
      await world.failing(hooksOf(each));
      await world.finished();
      const messages = toMessages(await world.inner.read('c-1'));
      expect(faultsOf(messages)).toEqual([]);
      expect(messages[0]).toEqual({ role: 'user', text: 'q' });
    },
  );

  it('for good is told as an interrupted run, and another process answers', async () => {
    const world = new World();
    const n = calls.indexOf('claimCall') + 1;
    const { store } = storeProxy(world.inner, hooksOf({ method: '', n, when: 'before', how: 'for good' }));
    const { events } = await world.process(store, 'q');
    expect(ofType(events, 'error')[0]).toMatchObject({ code: 'agent_failed', retryable: true });
    expect(ofType(events, 'error')[0]?.cause).toBeInstanceOf(StoreDown);
    expect(doneOf(events)).toMatchObject({ outcome: 'interrupted', answer: undefined });
    await world.finished();
    expect(toMessages(await world.inner.read('c-1')).at(-1)).toMatchObject({ text: 'Done.' });
  });

  it('once, after it wrote that a run is over, does not make it another ending', async () => {
    const world = new World();
    const n = calls.lastIndexOf('append') + 1;
    const hooks = hooksOf({ method: '', n, when: 'after', how: 'once' });
    await world.failing(hooks);
    const items = (await world.inner.read('c-1')).map(({ item }) => item);
    expect(items.filter(({ type }) => type === 'run_ended')).toMatchObject([{ outcome: 'completed' }]);
  });
});
