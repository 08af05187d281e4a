import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ModelMessage, ModelRequest, ToolDefinition } from 'nestjs-palette';
import { json } from '../../egress/support/upstream.js';
import {
  question,
  readFailure,
  readStream,
  startModelApp,
  stored,
  streamed,
  typedEvents,
  type ModelApp,
} from './support/model-app.js';

let app: ModelApp;
beforeAll(async () => {
  app = await startModelApp();
});
afterAll(() => app.close());

const search: ToolDefinition = {
  name: 'search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { $groups: { type: 'string' } } },
  annotations: { readOnly: true, destructive: false, idempotent: true },
};
const request: ModelRequest = { ...question, tools: [search] };

const start = {
  type: 'message_start',
  message: {
    model: 'claude-x',
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
  },
};
const stop = { type: 'message_stop' };
const delta = (index: number, change: unknown) => ({ type: 'content_block_delta', index, delta: change });
const begin = (index: number, block: unknown) => ({ type: 'content_block_start', index, content_block: block });
const ended = (reason: string) => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage: { output_tokens: 20 },
});

const THINKING = typedEvents(
  start,
  { type: 'ping' },
  begin(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Which ' }),
  delta(0, { type: 'thinking_delta', thinking: 'groups?' }),
  delta(0, { type: 'signature_delta', signature: 'c2ln' }),
  { type: 'content_block_stop' },
  begin(1, { type: 'redacted_thinking', data: 'ZGF0YQ' }),
  begin(2, { type: 'text', text: '' }),
  delta(2, { type: 'text_delta', text: 'Let me ' }),
  delta(2, { type: 'text_delta', text: 'séarch.' }),
  begin(3, { type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }),
  delta(3, { type: 'input_json_delta', partial_json: '' }),
  delta(3, { type: 'input_json_delta', partial_json: '{"gro' }),
  delta(3, { type: 'input_json_delta', partial_json: 'ups":"a"}' }),
  begin(4, { type: 'tool_use', id: 'toolu_2', name: 'search', input: {} }),
  ended('tool_use'),
  stop,
);
const REPLY = {
  text: 'Let me séarch.',
  reasoning: 'Which groups?',
  toolCalls: [
    { id: 'toolu_1', name: 'search', arguments: { $groups: 'a' } },
    { id: 'toolu_2', name: 'search', arguments: {} },
  ],
  finishReason: 'tool_calls',
  usage: { inputTokens: 14, outputTokens: 20, cachedInputTokens: 4 },
  model: 'claude-x',
};
const BLOCKS = [
  { type: 'thinking', thinking: 'Which groups?', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'ZGF0YQ' },
  { type: 'text', text: 'Let me séarch.' },
  { type: 'tool_use', id: 'toolu_1', name: 'search', input: { groups: 'a' } },
  { type: 'tool_use', id: 'toolu_2', name: 'search', input: {} },
];

describe('a message of Anthropic', () => {
  it('is read from its events', async () => {
    app.upstream.answer(streamed(THINKING));
    const read = await readStream(app.anthropic(), request);
    expect(read.reply).toMatchObject(REPLY);
    expect([read.text, read.reasoning]).toEqual([REPLY.text, REPLY.reasoning]);
    const last = app.upstream.requests.at(-1);
    expect([last?.url, last?.headers['anthropic-version']]).toEqual(['/v1/messages', '2023-06-01']);
  });

  it('is the same wherever its bytes are cut, and as a whole', async () => {
    app.upstream.answer(streamed(THINKING));
    const { reply } = await readStream(app.anthropic(), request);
    const bytes = Buffer.from(THINKING);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 20 }), async (places) => {
        const sorted = [0, ...places.sort((a, b) => a - b), bytes.length];
        app.upstream.answer(streamed(...sorted.map((place, index) => bytes.subarray(place, sorted[index + 1]))));
        expect((await readStream(app.anthropic(), request)).reply).toEqual(reply);
      }),
      { numRuns: 30 },
    );
    const usage = { ...start.message.usage, output_tokens: 20 };
    app.upstream.answer(json({ model: 'claude-x', content: BLOCKS, stop_reason: 'tool_use', usage }));
    await expect(app.anthropic().complete(request)).resolves.toEqual(reply);
  });

  it('goes back as it came, thoughts and signatures included, with the results first', async () => {
    app.upstream.answer(streamed(THINKING));
    const { reply } = await readStream(app.anthropic(), request);
    const { text = '', toolCalls = [], providerState } = reply ?? {};
    const said: ModelMessage = { role: 'assistant', text, toolCalls, providerState: stored(providerState) };
    const result = (toolCallId: string, content: unknown, isError: boolean): ModelMessage => ({
      role: 'tool',
      toolCallId,
      toolName: 'search',
      content,
      isError,
    });
    const messages: ModelMessage[] = [
      ...question.messages,
      said,
      result('toolu_1', [1], false),
      result('toolu_2', 'no', true),
      { role: 'user', text: 'And?' },
      { role: 'user', text: ' ' },
    ];
    await readStream(app.anthropic(), { ...request, messages, system: 'Be brief.' });
    expect(app.lastBody()).toEqual({
      model: 'asked',
      max_tokens: 8_192,
      stream: true,
      system: 'Be brief.',
      tools: [
        {
          name: 'search',
          description: 'Searches.',
          input_schema: { type: 'object', properties: { groups: { type: 'string' } } },
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'What is the weather?' }] },
        { role: 'assistant', content: BLOCKS },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: '[1]' },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no', is_error: true },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
    });
    const changed = { ...said, toolCalls: toolCalls.slice(0, 1) };
    await readStream(app.anthropic(), {
      ...request,
      messages: [...question.messages, changed, result('toolu_1', 1, false)],
    });
    const [, assistant] = app.lastBody()['messages'] as { content: unknown }[];
    expect(assistant?.content).toEqual(BLOCKS.slice(0, 4));
  });

  it('takes what another provider said: its ids fit, its thoughts stay away, what had no arguments has none', async () => {
    app.upstream.answer(streamed(THINKING));
    const call = { id: 'functions.search:0', name: 'search', arguments: {}, fault: 'not_json' as const };
    const foreign = { format: 'chat-completions', extras: {}, reasoning: { field: 'reasoning', text: 'Hm.' } };
    const messages: ModelMessage[] = [
      ...question.messages,
      { role: 'assistant', text: '', toolCalls: [call], providerState: foreign },
      { role: 'tool', toolCallId: call.id, toolName: 'search', content: 1, isError: false },
    ];
    await readStream(app.anthropic(), {
      ...request,
      messages,
      toolChoice: 'required',
      temperature: 0,
      maxOutputTokens: 9,
    });
    const body = app.lastBody();
    const [, assistant, results] = body['messages'] as { content: Record<string, unknown>[] }[];
    expect(assistant?.content).toEqual([
      { type: 'tool_use', id: expect.stringMatching(/^[\w-]+$/), name: 'search', input: {} },
    ]);
    expect(results?.content[0]?.['tool_use_id']).toBe(assistant?.content[0]?.['id']);
    expect(body).toMatchObject({ tool_choice: { type: 'any' }, temperature: 0, max_tokens: 9 });
  });

  it('has the shape of its answer beside the effort', async () => {
    app.upstream.answer(json({ content: [{ type: 'text', text: '{}' }], stop_reason: 'end_turn' }));
    const schema = { type: 'object' as const };
    const reply = await app
      .anthropic({ body: { output_config: { effort: 'low' }, thinking: { type: 'adaptive' } }, maxOutputTokens: 100 })
      .complete({ ...question, output: { name: 'answer', schema } });
    expect(app.lastBody()).toMatchObject({
      max_tokens: 100,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low', format: { type: 'json_schema', schema } },
    });
    expect(reply).toEqual({ text: '{}', toolCalls: [], finishReason: 'stop', usage: {}, model: 'asked' });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
  ])('ends with %s, which is %s', async (reason, finishReason) => {
    app.upstream.answer(streamed(typedEvents(start, begin(0, { type: 'text', text: 'Mild.' }), ended(reason), stop)));
    const { reply } = await readStream(app.anthropic());
    expect(reply).toMatchObject({ text: 'Mild.', finishReason });
    expect(reply?.refusal !== undefined).toBe(reason === 'refusal');
  });

  const call = begin(0, { type: 'tool_use', id: 'toolu_1', name: 'pay', input: {} });

  it.each<[string, string, unknown]>([
    ['no reason', typedEvents(start, call, stop), { code: 'model_interrupted', retryable: true }],
    ['its last event missing', typedEvents(start, call), { code: 'model_interrupted' }],
    [
      'a turn that only the provider can go on with',
      typedEvents(start, call, ended('pause_turn'), stop),
      { code: 'model_interrupted' },
    ],
    [
      'an error event',
      `${typedEvents(start, call)}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`,
      {
        code: 'model_rejected',
        retryable: true,
        details: { upstream: { type: 'overloaded_error', message: 'Overloaded' } },
      },
    ],
    [
      'a delta of a block that did not begin',
      typedEvents(start, delta(4, { text: 'x' })),
      { code: 'model_reply_invalid' },
    ],
    ['an event that is cut', `${typedEvents(start, call)}event: mess`, { code: 'egress_stream_interrupted' }],
  ])('fails with %s', async (_, events, failure) => {
    app.upstream.answer(streamed(events));
    const { error, events: seen } = await readFailure(app.anthropic());
    expect(error).toMatchObject(failure as object);
    expect(seen).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['an error', { type: 'error', error: { type: 'api_error', message: 'Broken' } }, 'model_rejected'],
    ['no content', { type: 'message' }, 'model_reply_invalid'],
    ['no reason', { content: [] }, 'model_interrupted'],
  ])('fails as a whole with %s', async (_, body, code) => {
    app.upstream.answer(json(body));
    await expect(app.anthropic().complete(question)).rejects.toMatchObject({ code, provider: 'anthropic' });
  });
});
