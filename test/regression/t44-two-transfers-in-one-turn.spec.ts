import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAgent, runAgent, type AgentEvent } from 'nestjs-palette';
import { startModelApp, type ModelApp } from '../agent/models/support/model-app.js';
import { anthropic, chat, inOrder, type Provider } from '../agent/handoffs/support/providers.js';
import { CALLER, collect, counted, doneOf, ofType } from '../agent/run/support/running.js';

// Of two transfers in one message the last one won, or whichever ran first, or the run broke off.
// https://github.com/openai/openai-agents-js/issues/1122 · https://github.com/microsoft/semantic-kernel/issues/12756

describe.each([chat, anthropic])('two transfers in one message, on the wire of $name', (provider: Provider) => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  async function handed(...calls: readonly { id: string; name: string }[]): Promise<{
    readonly events: readonly AgentEvent[];
    readonly last: Record<string, unknown>;
  }> {
    const before = app.upstream.requests.length;
    app.upstream.answer(inOrder(provider.calls(calls, 'Somebody will help.'), provider.says('Here.')));
    const model = provider.model(app);
    const a = defineAgent({ name: 'a', model, tools: [counted('look_up').tool], handoffs: ['b', 'c'] });
    const others = ['b', 'c'].map((name) => defineAgent({ name, model, tools: [counted(`find_${name}`).tool] }));
    const messages = [{ role: 'user' as const, text: 'Bill and parcel?' }];
    const events = await collect(runAgent({ agent: a, agents: others, messages, caller: CALLER }));
    const requests = app.upstream.requests.slice(before);
    expect(requests).toHaveLength(2);
    return { events, last: JSON.parse(requests[1]?.body ?? '') as Record<string, unknown> };
  }

  it.each([
    ['b', 'c'],
    ['c', 'b'],
  ])('goes to %s, which comes first; %s is told to be ignored', async (first, second) => {
    const { events, last } = await handed(
      { id: 'h1', name: `transfer_to_${first}` },
      { id: 'h2', name: `transfer_to_${second}` },
    );
    expect(provider.faults(last)).toEqual([]);
    expect(provider.tools(last)).toEqual([`find_${first}`]);
    const [one, other] = provider.results(last);
    expect(one).toEqual(['h1', `{"transferred_to":"${first}"}`]);
    expect(other).toEqual(['h2', expect.stringContaining('"handoff_ignored"')]);
    expect(ofType(events, 'handoff')).toMatchObject([{ from: 'a', to: first }]);
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: first, answer: 'Here.' });
  });

  it('goes to the same agent however often it is asked', async () => {
    const calls = [
      { id: 'h1', name: 'transfer_to_b' },
      { id: 'h2', name: 'transfer_to_c' },
    ];
    const agents = new Set<string>();
    for (let turn = 0; turn < 20; turn++) agents.add(doneOf((await handed(...calls)).events).agent);
    expect([...agents]).toEqual(['b']);
  });

  it('leaves a tool between them its result', async () => {
    const { events, last } = await handed(
      { id: 'h1', name: 'transfer_to_c' },
      { id: 't1', name: 'look_up' },
      { id: 'h2', name: 'transfer_to_b' },
    );
    expect(provider.faults(last)).toEqual([]);
    expect(provider.results(last).map(([id]) => id)).toEqual(['h1', 't1', 'h2']);
    expect(ofType(events, 'tool_result').map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(ofType(events, 'handoff')).toHaveLength(1);
  });
});
