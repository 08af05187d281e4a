import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ModelReply } from 'nestjs-palette';
import { json } from '../../egress/support/upstream.js';
import { DEVIATIONS, type ExpectedCall } from './support/deviations.js';
import {
  chatEvents,
  question,
  readFailure,
  readStream,
  startModelApp,
  streamed,
  type ModelApp,
} from './support/model-app.js';

let app: ModelApp;
beforeAll(async () => {
  app = await startModelApp();
});
afterAll(() => app.close());

const OWN_ID = /^[A-Za-z0-9]{9}$/;

/** The reply with ids of ours named alike, since they are never the same. */
function comparable(reply: ModelReply | undefined): unknown {
  return {
    ...reply,
    toolCalls: reply?.toolCalls.map((call) => ({ ...call, id: OWN_ID.test(call.id) ? 'own' : call.id })),
  };
}

function expected({ id = expect.stringMatching(OWN_ID) as unknown as string, ...call }: ExpectedCall): unknown {
  return { id, ...call };
}

describe('a streamed chat completion', () => {
  it.each(DEVIATIONS)('$name', async ({ events, calls, text = '', reasoning }) => {
    app.upstream.answer(streamed(events));
    const read = await readStream(app.chat());
    expect(read.reply?.toolCalls).toEqual(calls.map(expected));
    expect(new Set(read.reply?.toolCalls.map(({ id }) => id)).size).toBe(calls.length);
    expect([read.reply?.text, read.reply?.reasoning]).toEqual([text, reasoning]);
    expect([read.text, read.reasoning]).toEqual([text, reasoning ?? '']);
  });

  it.each(DEVIATIONS)('means the same wherever its bytes are cut: $name', async ({ events }) => {
    app.upstream.answer(streamed(events));
    const whole = comparable((await readStream(app.chat())).reply);
    const bytes = Buffer.from(events);
    const cuts = fc.uniqueArray(fc.nat({ max: bytes.length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.sort((a, b) => a - b), bytes.length];
        app.upstream.answer(streamed(...sorted.map((place, index) => bytes.subarray(place, sorted[index + 1]))));
        expect(comparable((await readStream(app.chat())).reply)).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  });

  it('asks for the usage and takes the last one, with the model that answered', async () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    app.upstream.answer(
      streamed(
        chatEvents(
          {
            model: 'gpt-5-mini-2025',
            choices: [{ index: 0, delta: { content: 'Mild.' }, finish_reason: null }],
            usage: null,
          },
          { model: 'gpt-5-mini-2025', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
          { model: 'gpt-5-mini-2025', choices: [], usage },
        ),
      ),
    );
    const { reply } = await readStream(app.chat());
    expect(reply).toEqual({
      text: 'Mild.',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 7, cachedInputTokens: 8, reasoningTokens: 3 },
      model: 'gpt-5-mini-2025',
    });
    expect(app.lastBody()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('keeps a refusal, and the calls of a reply that was cut short', async () => {
    const call = { index: 0, id: 'c', function: { name: 'weather', arguments: '{"ci' } };
    app.upstream.answer(
      streamed(chatEvents({ choices: [{ delta: { refusal: 'No.', tool_calls: [call] }, finish_reason: 'length' }] })),
    );
    const { reply } = await readStream(app.chat());
    expect(reply).toMatchObject({ refusal: 'No.', finishReason: 'length', model: 'asked' });
    expect(reply?.toolCalls).toEqual([{ id: 'c', name: 'weather', arguments: {}, fault: 'not_json' }]);
  });

  it.each([
    ['tool_calls', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['length', 'length'],
    ['STOP', 'stop'],
    ['model_length', 'length'],
  ])('takes the reason %s for %s', async (told, finishReason) => {
    const call = { index: 0, id: 'c', function: { name: 'weather' } };
    app.upstream.answer(streamed(chatEvents({ choices: [{ delta: { tool_calls: [call] }, finish_reason: told }] })));
    expect((await readStream(app.chat())).reply).toMatchObject({ finishReason, toolCalls: [{ id: 'c' }] });
  });

  const said = { choices: [{ delta: { content: 'Mi' }, finish_reason: null }] };
  const called = { choices: [{ delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'pay' } }] } }] };

  it.each<[string, string]>([
    ['no reason', chatEvents(said, called)],
    ['no reason and no [DONE]', `data: ${JSON.stringify(called)}\n\n`],
    ['no event at all', ''],
    ['a reason that nobody knows', chatEvents(called, { choices: [{ delta: {}, finish_reason: 'unload' }] })],
    ['a reason that is a failure', chatEvents(called, { choices: [{ delta: {}, finish_reason: 'abort' }] })],
  ])('is interrupted with %s', async (_, events) => {
    app.upstream.answer(streamed(events));
    const { error, events: seen } = await readFailure(app.chat());
    expect(error).toMatchObject({ code: 'model_interrupted', retryable: true, name: 'ModelError', model: 'asked' });
    expect(seen.filter(({ type }) => type === 'reply')).toEqual([]);
  });

  it('is complete without [DONE] where the reason came', async () => {
    const end = { choices: [{ delta: { content: 'Mild.' }, finish_reason: 'stop' }] };
    app.upstream.answer(streamed(`data: ${JSON.stringify(end)}\n\n`));
    expect((await readStream(app.chat())).text).toBe('Mild.');
  });

  it.each<[string, string, boolean, unknown]>([
    [
      '{error: {...}}',
      `data: {"error":{"message":"Overloaded","type":"overloaded_error","code":503}}\n\n`,
      true,
      { message: 'Overloaded', type: 'overloaded_error', code: 503 },
    ],
    ['a throttle', `data: {"error":{"message":"Slow down","code":429}}\n\n`, true, { message: 'Slow down', code: 429 }],
    [
      'exhausted credit',
      `data: {"error":{"message":"Pay","type":"insufficient_quota","code":429}}\n\n`,
      false,
      { message: 'Pay', type: 'insufficient_quota', code: 429 },
    ],
    [
      '{object: "error"}',
      `data: {"object":"error","message":"Too long","type":"BadRequestError","code":400}\n\n`,
      false,
      { message: 'Too long', type: 'BadRequestError', code: 400 },
    ],
    ['{error: "text"}', `data: {"error":"model not loaded"}\n\n`, false, { message: 'model not loaded' }],
    ['event: error', `event: error\ndata: {"message":"broken"}\n\n`, false, { message: 'broken' }],
    ['event: error with no JSON', `event: error\ndata: broken\n\n`, false, { message: 'broken' }],
    [
      'an error of its choice',
      `data: {"choices":[{"error":{"message":"gone","code":502},"finish_reason":"error"}]}\n\n`,
      true,
      { message: 'gone', code: 502 },
    ],
    [
      'a refused key, without its text',
      `data: {"error":{"message":"Incorrect API key sk-123","code":"invalid_api_key"}}\n\n`,
      false,
      { code: 'invalid_api_key' },
    ],
  ])('fails with what the provider says inside it: %s', async (_, failure, retryable, upstream) => {
    app.upstream.answer(streamed(`data: ${JSON.stringify(called)}\n\n`, failure, 'data: [DONE]\n\n'));
    const { error, events } = await readFailure(app.chat());
    expect(error).toMatchObject({ code: 'model_rejected', retryable });
    expect((error as { details: unknown }).details).toEqual({ upstream });
    expect(events).toEqual([]);
  });

  it.each([
    ['an event that is no JSON', 'data: {"choi\n\n'],
    ['an event that is no object', 'data: []\n\n'],
    [
      'calls that are promised and none that is named',
      chatEvents({
        choices: [
          { delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, finish_reason: 'tool_calls' },
        ],
      }),
    ],
  ])('is no reply: %s', async (_, events) => {
    app.upstream.answer(streamed(events));
    expect((await readFailure(app.chat())).error).toMatchObject({ code: 'model_reply_invalid', retryable: false });
  });

  it('leaves what the hop fails with as it is', async () => {
    app.upstream.answer(json({ error: { message: 'later' } }, 429));
    expect((await readFailure(app.chat())).error).toMatchObject({ code: 'egress_throttled', name: 'EgressError' });
    app.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(said)}\n\n`, () => response.destroy());
    });
    const { error, events } = await readFailure(app.chat());
    expect(error).toMatchObject({ code: 'egress_stream_interrupted' });
    expect(events).toEqual([{ type: 'text_delta', text: 'Mi' }]);
  });

  it('gives signal and deadline of the request to the hop', async () => {
    app.upstream.answer((response) => response.writeHead(200).write(': waiting\n\n'));
    const soon = { ...question, deadline: Date.now() + 300 };
    expect((await readFailure(app.chat(), soon)).error).toMatchObject({ code: 'deadline_exceeded' });
    const caller = new AbortController();
    const failure = readFailure(app.chat(), { ...question, signal: caller.signal });
    caller.abort();
    expect((await failure).error).toMatchObject({ code: 'egress_cancelled' });
    expect((await readFailure(app.chat({ timeoutMs: 200 }))).error).toMatchObject({ code: 'egress_timeout' });
  });

  it('takes an id that the conversation has already for one that is none', async () => {
    const call = { id: 'call_0', name: 'weather', arguments: {} };
    const messages = [
      ...question.messages,
      { role: 'assistant' as const, text: '', toolCalls: [call] },
      { role: 'tool' as const, toolCallId: 'call_0', toolName: 'weather', content: 'mild', isError: false },
    ];
    const twice = [0, 1].map((index) => ({
      index,
      id: index === 0 ? 'call_0' : 'call_1',
      function: { name: 'weather' },
    }));
    app.upstream.answer(
      streamed(chatEvents({ choices: [{ delta: { tool_calls: twice }, finish_reason: 'tool_calls' }] })),
    );
    const { reply } = await readStream(app.chat(), { ...question, messages });
    expect(reply?.toolCalls.map(({ id }) => id)).toEqual([expect.stringMatching(OWN_ID), 'call_1']);
  });
});
