import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAgent, lastTurns, runAgent, withoutTools, type AgentOptions, type Handoff } from 'nestjs-palette';
import { startModelApp, type ModelApp } from '../agent/models/support/model-app.js';
import { anthropic, chat, inOrder, type Provider } from '../agent/handoffs/support/providers.js';
import { CALLER, collect, counted, doneOf } from '../agent/run/support/running.js';

// The call of a transfer was left without a result, and the next agent's provider refused the whole request.
// https://github.com/openai/openai-agents-js/issues/42

type Filter = NonNullable<Handoff['filter']>;

const FILTERS: readonly (readonly [what: string, filter: Filter | undefined, results: number])[] = [
  ['no filter', undefined, 2],
  ['`withoutTools`', withoutTools, 0],
  ['`lastTurns`', (messages) => lastTurns(messages, 1), 2],
  ['a filter that drops results and not their calls', (all) => all.filter(({ role }) => role !== 'tool'), 2],
  [
    'a filter that drops calls and not their results',
    (all) => all.filter((each) => each.role !== 'assistant' || each.toolCalls.length === 0),
    0,
  ],
  ['a filter that drops everything', () => [], 0],
];

describe.each([chat, anthropic])('the call of a transfer, on the wire of $name', (provider: Provider) => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  /** Asks A, which looks something up and transfers to B; the bodies of the requests. */
  async function sent(
    filter: Filter | undefined,
    { words, ofB = {} }: { words?: string; ofB?: Partial<AgentOptions<undefined>> } = {},
  ): Promise<Record<string, unknown>[]> {
    const before = app.upstream.requests.length;
    app.upstream.answer(
      inOrder(
        provider.calls([{ id: 'c1', name: 'look_up' }]),
        provider.calls([{ id: 'h1', name: 'transfer_to_b' }], words),
        provider.says('B here.'),
      ),
    );
    const model = provider.model(app);
    const handoffs = [{ to: 'b', ...(filter && { filter }) }];
    const a = defineAgent({ name: 'a', model, system: 'You are A.', tools: [counted('look_up').tool], handoffs });
    const b = defineAgent({ name: 'b', model, system: 'You are B.', tools: [counted('find').tool], ...ofB });
    const messages = [{ role: 'user' as const, text: 'Was 7 paid?' }];
    const events = await collect(runAgent({ agent: a, agents: [b], messages, caller: CALLER }));
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', agent: 'b', answer: 'B here.' });
    return app.upstream.requests.slice(before).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  describe.each(FILTERS)('with %s', (_what, filter, results) => {
    it.each([undefined, 'B will help.'])(
      'is answered once and at once, or gone with its result (said: %s)',
      async (words) => {
        const bodies = await sent(filter, { ...(words !== undefined && { words }) });
        expect(bodies.map((body) => provider.faults(body))).toEqual([[], [], []]);
        const last = bodies[2] ?? {};
        expect(provider.results(last).map(([id]) => id)).toEqual(['c1', 'h1'].slice(2 - results));
        expect(JSON.stringify(last)).toContain('Was 7 paid?');
      },
    );

    it('comes with the tools and the system prompt of the other agent', async () => {
      const [first = {}, , last = {}] = await sent(filter);
      expect([provider.tools(first), provider.system(first)]).toEqual([['look_up', 'transfer_to_b'], 'You are A.']);
      expect([provider.tools(last), provider.system(last)]).toEqual([['find'], 'You are B.']);
    });
  });

  it('is told as done, in so many words', async () => {
    const [, , last = {}] = await sent(undefined);
    expect(provider.results(last)[1]).toEqual(['h1', '{"transferred_to":"b"}']);
  });

  it('is taken by a provider where the other agent has no tools at all', async () => {
    const [, , last = {}] = await sent(undefined, { ofB: { tools: [] } });
    expect(provider.faults(last)).toEqual([]);
    if (provider === chat) expect(provider.tools(last)).toEqual([]);
    else
      expect(last).toMatchObject({
        tools: [{ name: 'look_up' }, { name: 'transfer_to_b' }],
        tool_choice: { type: 'none' },
      });
  });
});
