import { describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, withoutTools, type AgentStore } from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedResponder } from 'nestjs-palette/testing';
import type { JournalItem } from '../../../lib/conversations/index.js';
import { approvalsOf, decideAll } from '../run/support/approvals.js';
import { itemsOf, journalFaults } from '../run/support/journal.js';
import { collect, counted, say } from '../run/support/running.js';
import { storeProxy, type StoreHooks } from '../run/support/store-proxy.js';

/** Pays, which a person must approve, and hands over, in one step. */
const triage: ScriptedResponder = () => ({ toolCalls: [{ name: 'pay' }, { name: 'transfer_to_clerk' }] });
/** Books, and answers. */
const clerk: ScriptedResponder = ({ messages }) =>
  messages.at(-1)?.role === 'tool' ? 'Done.' : { toolCalls: [{ name: 'book' }] };

/** One conversation that any number of processes drive, one after the other. */
class World {
  readonly #clock = new FakeClock();
  readonly inner = new InMemoryAgentStore({ clock: this.#clock });
  readonly #pay = counted('pay', { approval: 'It costs money.' });
  readonly #book = counted('book');

  get runs(): readonly [pays: number, books: number] {
    return [this.#pay.runs.length, this.#book.runs.length];
  }

  async process(store: AgentStore, message: string | undefined): Promise<void> {
    const handoffs = [{ to: 'clerk', filter: withoutTools }];
    const entry = defineAgent({ name: 'triage', model: new ScriptedModel(triage), tools: [this.#pay.tool], handoffs });
    const other = defineAgent({ name: 'clerk', model: new ScriptedModel(clerk), tools: [this.#book.tool] });
    const options = { agents: [other], store, approvals: approvalsOf(store), clock: this.#clock };
    await collect(say(entry, message, options as never)).catch(() => undefined);
    await this.check();
  }

  /** A process that fails as the hooks say, for the question and after the decision; others end what it leaves. */
  async play(hooks: StoreHooks): Promise<readonly string[]> {
    const { store, calls } = storeProxy(this.inner, hooks);
    await this.process(store, 'q');
    await decideAll(this.inner);
    await this.process(store, undefined);
    for (let attempt = 0; (await this.#items()).at(-1)?.type !== 'run_ended'; attempt++) {
      if (attempt > 4) throw new Error('it never ends');
      await this.#clock.advance(30_001);
      await this.process(this.inner, (await this.#items()).length === 0 ? 'q' : undefined);
      await decideAll(this.inner);
    }
    return calls;
  }

  async check(): Promise<void> {
    if ((await this.inner.find('c-1')) === undefined) return;
    expect(journalFaults(await this.inner.read('c-1'))).toEqual([]);
    const items = await this.#items();
    const handoffs = items.flatMap((item) => (item.type === 'handoff' ? [item.callId] : []));
    expect(handoffs).toEqual(items.flatMap((item) => (isTransferred(item) ? [item.callId] : [])));
    const ended = items.flatMap((item) => (item.type === 'run_ended' ? [item.agent] : []));
    if (ended.length > 0) expect(ended).toEqual([handoffs.length > 0 ? 'clerk' : 'triage']);
    expect(Math.max(...this.runs)).toBeLessThanOrEqual(1);
  }

  async #items(): Promise<JournalItem[]> {
    if ((await this.inner.find('c-1')) === undefined) return [];
    return (await this.inner.read('c-1')).map(({ item }) => item);
  }
}

type ToolResultItem = Extract<JournalItem, { type: 'tool_result' }>;

const isTransferred = (item: JournalItem): item is ToolResultItem =>
  item.type === 'tool_result' && item.toolName === 'transfer_to_clerk' && !item.isError;

const all = new World();
const calls = await all.play({});
const cases = calls.flatMap((method, index) =>
  ['before', 'after'].flatMap((when) => ['once', 'for good'].map((how) => ({ method, n: index + 1, when, how }))),
);

function hooksOf({ n, when, how }: (typeof cases)[number]): StoreHooks {
  const fail = (_method: string, count: number): void => {
    if (count === n || (how === 'for good' && count > n)) throw new Error('the store is gone');
  };
  const gone = (method: string, count: number): void => (count > n ? fail(method, count) : undefined);
  return when === 'before' ? { before: fail } : { before: gone, after: fail };
}

describe('a handoff beside a call that waits, when its process dies', () => {
  it('is made once, where nobody dies', async () => {
    expect(calls.length).toBeGreaterThan(25);
    expect(all.runs).toEqual([1, 1]);
    const items = await itemsOf(all.inner);
    expect(items.filter((type) => type === 'handoff')).toHaveLength(1);
    expect(items.at(-1)).toBe('run_ended');
  });

  it.each(cases)('is made once or not at all, as the model was told: call $n, $method, $when, $how', async (each) => {
    await new World().play(hooksOf(each));
  });
});
