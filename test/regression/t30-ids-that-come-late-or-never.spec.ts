import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAgent, runAgent, type ModelMessage } from 'nestjs-palette';
import { CALLER, collect, counted, doneOf } from '../agent/run/support/running.js';
import { inTurn } from '../agent/models/support/in-turn.js';
import { chatEvents, startModelApp, streamed, type ModelApp } from '../agent/models/support/model-app.js';

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface WireMessage {
  readonly role: string;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

/** T30: an id that comes late, or never, and indexes that do not begin with 0. */
describe('a call whose id comes late or never', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  const delta = (...calls: readonly object[]): object => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };

  const said = chatEvents({ choices: [{ delta: { content: 'Mild.' }, finish_reason: 'stop' }] });

  /** What the loop runs for these replies, one a step, and the messages of each request. */
  async function told(...replies: readonly (readonly object[])[]): Promise<{ runs: unknown[]; sent: WireMessage[][] }> {
    const { tool, runs } = counted('w');
    const before = app.upstream.requests.length;
    app.upstream.answer(inTurn(...replies.map((chunks) => streamed(chatEvents(...chunks, end))), streamed(said)));
    const messages: ModelMessage[] = [{ role: 'user', text: 'Weather?' }];
    const agent = defineAgent({ name: 'helper', model: app.chat(), tools: [tool] });
    const events = await collect(runAgent({ agent, messages, caller: CALLER }));
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Mild.' });
    const sent = app.upstream.requests.slice(before);
    return { runs, sent: sent.map(({ body }) => (JSON.parse(body) as { messages: WireMessage[] }).messages) };
  }

  it.each<[string, string | undefined, readonly object[]]>([
    [
      'no id at all, and arguments by index alone',
      undefined,
      [
        delta({ index: 0, function: { name: 'w', arguments: '' } }),
        delta({ index: 0, function: { arguments: '{"a"' } }),
        delta({ index: 0, function: { arguments: ':1}' } }),
      ],
    ],
    ['an empty id', undefined, [delta({ index: 0, id: '', function: { name: 'w', arguments: '{"a":1}' } })]],
    [
      'the id first, the name after it',
      'call_1',
      [
        delta({ index: 0, id: 'call_1', type: 'function' }),
        delta({ index: 0, function: { name: 'w' } }),
        delta({ index: 0, function: { arguments: '{"a":1}' } }),
      ],
    ],
    [
      'the name first, the id after it',
      'call_1',
      [
        delta({ index: 0, function: { name: 'w', arguments: '' } }),
        delta({ index: 0, id: 'call_1', function: { arguments: '{"a":1}' } }),
      ],
    ],
    [
      'no index but 1',
      'call_1',
      [
        delta({ index: 1, id: 'call_1', function: { name: 'w', arguments: '' } }),
        delta({ index: 1, function: { arguments: '{"a":1}' } }),
      ],
    ],
    [
      'an index that never got a name beside it',
      'call_1',
      [
        delta({ index: 0, id: '', function: { name: '', arguments: '{}' } }),
        delta({ index: 1, id: 'call_1', function: { name: 'w', arguments: '{"a":1}' } }),
      ],
    ],
  ])('is run once and goes back with one id on both sides: %s', async (_, id, chunks) => {
    const { runs, sent } = await told(chunks);
    expect(runs).toEqual([{ a: 1 }]);
    const [, assistant, tool, ...more] = sent[1] ?? [];
    expect([assistant?.role, tool?.role, more]).toEqual(['assistant', 'tool', []]);
    expect(assistant?.tool_calls).toMatchObject([{ id: id ?? expect.stringMatching(/./), function: { name: 'w' } }]);
    expect(assistant?.tool_calls).toHaveLength(1);
    expect(tool?.tool_call_id).toBe(assistant?.tool_calls?.[0]?.id);
  });

  it('is told apart from another one without an id', async () => {
    const { runs, sent } = await told([
      delta({ index: 0, function: { name: 'w', arguments: '{"a":1}' } }),
      delta({ index: 1, function: { name: 'w', arguments: '{"a":2}' } }),
    ]);
    expect(runs).toEqual([{ a: 1 }, { a: 2 }]);
    const [, assistant, ...results] = sent[1] ?? [];
    const ids = (assistant?.tool_calls ?? []).map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(results.map((result) => result.tool_call_id)).toEqual(ids);
  });

  it('keeps the id that it got in every later request', async () => {
    const calling = [delta({ index: 0, function: { name: 'w', arguments: '{}' } })];
    const { runs, sent } = await told(calling, calling);
    const [, second = [], third = []] = sent;
    expect(runs).toHaveLength(2);
    expect(second).toHaveLength(3);
    expect(third.slice(0, 3)).toEqual(second);
    expect(third[3]?.tool_calls?.[0]?.id).not.toBe(second[1]?.tool_calls?.[0]?.id);
  });
});
