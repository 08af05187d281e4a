import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineAgent, functionTool, runAgent, type AgentEvent, type Model, type ModelMessage } from 'nestjs-palette';
import { z } from 'zod';
import { inTurn } from '../agent/models/support/in-turn.js';
import { json } from '../egress/support/upstream.js';
import { CALLER, collect, counted, doneOf, ofType } from '../agent/run/support/running.js';
import { chatEvents, startModelApp, streamed, typedEvents, type ModelApp } from '../agent/models/support/model-app.js';

type Event = { readonly type: string; readonly [field: string]: unknown };

const ABSENT = Symbol('absent');
const SPELLINGS: readonly (readonly [string, unknown])[] = [
  ['an empty text', ''],
  ['null', null],
  ['nothing', ABSENT],
  ['blanks', '  '],
];

/** T32: a model that calls a tool without arguments writes them in four ways. */
describe('a call without arguments', () => {
  let app: ModelApp;
  beforeAll(async () => {
    app = await startModelApp();
  });
  afterAll(() => app.close());

  const said = chatEvents({ choices: [{ delta: { content: 'Noon.' }, finish_reason: 'stop' }] });

  const calling = (args: unknown): object => ({
    index: 0,
    id: 'c1',
    type: 'function',
    function: { name: 'now', ...(args !== ABSENT && { arguments: args }) },
  });

  const called = (args: unknown): string =>
    chatEvents({ choices: [{ delta: { tool_calls: [calling(args)] }, finish_reason: 'tool_calls' }] });

  async function run(model: Model, tool: ReturnType<typeof functionTool>): Promise<AgentEvent[]> {
    const messages: ModelMessage[] = [{ role: 'user', text: 'How late is it?' }];
    return collect(runAgent({ agent: defineAgent({ name: 'clock', model, tools: [tool] }), messages, caller: CALLER }));
  }

  it.each(SPELLINGS)('is run with {} and goes back with the text {}: %s, in a stream', async (_, args) => {
    const { tool, runs } = counted('now');
    app.upstream.answer(inTurn(streamed(called(args)), streamed(said)));
    expect(doneOf(await run(app.chat(), tool))).toMatchObject({ outcome: 'completed', answer: 'Noon.' });
    expect(runs).toEqual([{}]);
    expect((app.lastBody()['messages'] as object[])[1]).toMatchObject({
      tool_calls: [{ id: 'c1', function: { name: 'now', arguments: '{}' } }],
    });
  });

  it.each(SPELLINGS)('is run with {} and goes back with the text {}: %s, as a whole', async (_, args) => {
    const { tool, runs } = counted('now');
    const streaming = app.chat();
    const model: Model = { name: 'm', provider: 'p', complete: (request) => streaming.complete(request) };
    const whole = json({ choices: [{ message: { tool_calls: [calling(args)] }, finish_reason: 'tool_calls' }] });
    app.upstream.answer(inTurn(whole, json({ choices: [{ message: { content: 'Noon.' }, finish_reason: 'stop' }] })));
    expect(doneOf(await run(model, tool))).toMatchObject({ outcome: 'completed', answer: 'Noon.' });
    expect(runs).toEqual([{}]);
    expect((app.lastBody()['messages'] as object[])[1]).toMatchObject({
      tool_calls: [{ id: 'c1', function: { name: 'now', arguments: '{}' } }],
    });
  });

  const block = (content: object): Event => ({ type: 'content_block_start', index: 0, content_block: content });
  const stop = (reason: string): Event => ({ type: 'message_delta', delta: { stop_reason: reason } });

  it.each<[string, readonly Event[]]>([
    ['no delta at all', []],
    [
      'an empty delta',
      [{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } }],
    ],
  ])('is run with {} and goes back with {} to Anthropic: %s', async (_, deltas) => {
    const { tool, runs } = counted('now');
    const use = { type: 'tool_use', id: 't1', name: 'now', input: {} };
    const first = [block(use), ...deltas, stop('tool_use')];
    const second = [block({ type: 'text', text: 'Noon.' }), stop('end_turn')];
    app.upstream.answer(inTurn(streamed(typedEvents(...first)), streamed(typedEvents(...second))));
    expect(doneOf(await run(app.anthropic(), tool))).toMatchObject({ outcome: 'completed', answer: 'Noon.' });
    expect(runs).toEqual([{}]);
    const [, assistant] = app.lastBody()['messages'] as { content: unknown }[];
    expect(assistant?.content).toEqual([{ type: 'tool_use', id: 't1', name: 'now', input: {} }]);
  });

  it.each(SPELLINGS)(
    'is told what is missing where the tool needs arguments, and the run goes on: %s',
    async (_, args) => {
      const runs: unknown[] = [];
      const tool = functionTool({
        name: 'now',
        description: 'The time of a place.',
        input: z.object({ place: z.string() }),
        execute: (input) => runs.push(input),
      });
      app.upstream.answer(inTurn(streamed(called(args)), streamed(said)));
      const events = await run(app.chat(), tool);
      expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'Noon.' });
      expect(runs).toEqual([]);
      const [result] = ofType(events, 'tool_result');
      expect(result).toMatchObject({ isError: true, content: { code: 'tool_arguments_invalid' } });
      expect(JSON.stringify(result)).toContain('place');
    },
  );
});
