import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelRequest, ToolDefinition } from 'nestjs-palette';
import { json } from '../../egress/support/upstream.js';
import {
  question,
  readStream,
  startModelApp,
  stored,
  streamed,
  chatEvents,
  type ModelApp,
} from './support/model-app.js';

let app: ModelApp;
beforeAll(async () => {
  app = await startModelApp();
});
afterAll(() => app.close());

const weather: ToolDefinition = {
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, idempotent: true },
};

const calls = [
  { id: 'a', name: 'weather', arguments: { city: 'Paris' } },
  { id: 'b', name: 'weather', arguments: {}, fault: 'not_json' as const },
];
const conversation: ModelRequest = {
  system: 'Be brief.',
  messages: [
    { role: 'user', text: 'What is the weather?' },
    { role: 'assistant', text: '', toolCalls: calls },
    { role: 'tool', toolCallId: 'a', toolName: 'weather', content: { degrees: 20 }, isError: false },
    { role: 'tool', toolCallId: 'b', toolName: 'weather', content: 'no JSON', isError: true },
    { role: 'assistant', text: '', toolCalls: [] },
  ],
  tools: [weather],
};

/** What a whole reply is, where nothing else is told. */
function whole(message: unknown, finishReason: unknown = 'stop'): unknown {
  return { id: 'chatcmpl-1', model: 'gpt-5-mini', choices: [{ index: 0, message, finish_reason: finishReason }] };
}

describe('a request for a chat completion', () => {
  it('holds the conversation as the API has it, and nothing that nobody asked for', async () => {
    app.upstream.answer(json(whole({ content: 'Mild.' })));
    await app.chat().complete(conversation);
    expect(app.upstream.requests.at(-1)?.url).toBe('/v1/chat/completions');
    expect(app.lastBody()).toEqual({
      model: 'asked',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is the weather?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
            { id: 'b', type: 'function', function: { name: 'weather', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: '{"degrees":20}' },
        { role: 'tool', tool_call_id: 'b', content: 'no JSON' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'weather', description: 'Tells the weather.', parameters: weather.inputSchema },
        },
      ],
    });
  });

  it('leaves out everything about tools where there is none', async () => {
    app.upstream.answer(json(whole({ content: 'Mild.' })));
    await app.chat({ quirks: { parallelToolCalls: false } }).complete({ ...question, toolChoice: 'required' });
    expect(app.lastBody()).toEqual({ model: 'asked', messages: [{ role: 'user', content: 'What is the weather?' }] });
  });

  it('says how to choose among tools, how long to be, how free, and in what shape', async () => {
    app.upstream.answer(json(whole({ content: '{}' })));
    const output = { name: 'answer', schema: { type: 'object' as const, properties: {}, additionalProperties: false } };
    const request = { ...conversation, toolChoice: 'none' as const, maxOutputTokens: 50, temperature: 0, output };
    const body = { reasoning_effort: 'low', model: 'another' };
    await app.chat({ quirks: { parallelToolCalls: false, maxTokensField: 'max_tokens' }, body }).complete(request);
    expect(app.lastBody()).toMatchObject({
      model: 'asked',
      reasoning_effort: 'low',
      tool_choice: 'none',
      parallel_tool_calls: false,
      max_tokens: 50,
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: output.schema } },
    });
    await app.chat().complete({ ...question, maxOutputTokens: 50 });
    expect(app.lastBody()).toMatchObject({ max_completion_tokens: 50 });
  });

  it('leaves stream_options out where the endpoint refuses them', async () => {
    app.upstream.answer(streamed(chatEvents({ choices: [{ delta: { content: 'Mild.' }, finish_reason: 'stop' }] })));
    await readStream(app.chat({ quirks: { usageInStream: false } }));
    expect(app.lastBody()).toMatchObject({ stream: true });
    expect(app.lastBody()).not.toHaveProperty('stream_options');
  });

  it('tells strict tools with every argument required, and takes the nulls out of what is optional', async () => {
    const call = { id: 'c', function: { name: 'weather', arguments: '{"city":"Paris","unit":null}' } };
    app.upstream.answer(json(whole({ content: null, tool_calls: [call] }, 'tool_calls')));
    const reply = await app.chat({ quirks: { strictTools: true } }).complete(conversation);
    const [tool] = app.lastBody()['tools'] as { function: { strict: boolean; parameters: { required: string[] } } }[];
    expect(tool?.function).toMatchObject({ strict: true, parameters: { required: ['city', 'unit'] } });
    expect(reply.toolCalls).toEqual([{ id: 'c', name: 'weather', arguments: { city: 'Paris' } }]);
    const plain = await app.chat().complete(conversation);
    expect(plain.toolCalls[0]?.arguments).toEqual({ city: 'Paris', unit: null });
  });

  it('reads reasoning from the field that it is told, and sends it back where that is wanted', async () => {
    app.upstream.answer(json(whole({ content: 'Mild.', thoughts: 'Hm.', reasoning: 'other' })));
    const quirks = { reasoningField: 'thoughts', resendReasoning: true };
    const reply = await app.chat({ quirks }).complete(question);
    expect(reply.reasoning).toBe('Hm.');
    const said = { role: 'assistant' as const, text: reply.text, toolCalls: [], providerState: reply.providerState };
    const next = { ...question, messages: [...question.messages, said, ...question.messages] };
    await app.chat({ quirks }).complete(next);
    expect(app.lastBody()['messages']).toContainEqual({ role: 'assistant', content: 'Mild.', thoughts: 'Hm.' });
    await app.chat().complete(next);
    expect(app.lastBody()['messages']).toContainEqual({ role: 'assistant', content: 'Mild.' });
    await expect(app.chat({ quirks: { reasoningField: false } }).complete(question)).resolves.not.toHaveProperty(
      'reasoning',
    );
  });

  it('sends back what an endpoint puts beside a call', async () => {
    const extra = { google: { thought_signature: 'c2ln' } };
    const call = { id: 'a', extra_content: extra, function: { name: 'weather', arguments: '{}' } };
    app.upstream.answer(json(whole({ content: null, tool_calls: [call] }, 'tool_calls')));
    const { text, toolCalls, providerState } = await app.chat().complete(question);
    const result = { role: 'tool' as const, toolCallId: 'a', toolName: 'weather', content: 'mild', isError: false };
    const said = { role: 'assistant' as const, text, toolCalls, providerState: stored(providerState) };
    await app.chat().complete({ ...question, messages: [...question.messages, said, result] });
    const [, assistant] = app.lastBody()['messages'] as { tool_calls: unknown[] }[];
    expect(assistant?.tool_calls).toEqual([
      { id: 'a', type: 'function', extra_content: extra, function: { name: 'weather', arguments: '{}' } },
    ]);
  });
});

describe('a whole chat completion', () => {
  it('is what its stream would be', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } };
    const usage = { prompt_tokens: 12, completion_tokens: 7 };
    app.upstream.answer(
      json({ ...(whole({ content: 'Let me see.', tool_calls: [call] }, 'tool_calls') as object), usage }),
    );
    const reply = await app.chat().complete(question);
    const head = { model: 'gpt-5-mini' };
    app.upstream.answer(
      streamed(
        chatEvents(
          { ...head, choices: [{ index: 0, delta: { content: 'Let me see.' } }] },
          {
            ...head,
            choices: [{ index: 0, delta: { tool_calls: [{ ...call, index: 0 }] }, finish_reason: 'tool_calls' }],
          },
          { ...head, choices: [], usage },
        ),
      ),
    );
    expect((await readStream(app.chat())).reply).toEqual(reply);
  });

  it('takes each entry for a call, whatever index and id it has', async () => {
    const entry = { index: 0, id: 'same', function: { name: 'weather', arguments: '{}' } };
    app.upstream.answer(json(whole({ tool_calls: [entry, entry, { function: { name: 'weather' } }] }, 'tool_calls')));
    const { toolCalls } = await app.chat().complete(question);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3);
    expect(toolCalls[0]?.id).toBe('same');
  });

  it.each<[string, unknown, string]>([
    ['an error in place of a reply', { error: { message: 'Overloaded', type: 'overloaded_error' } }, 'model_rejected'],
    ['an error object', { object: 'error', message: 'Too long', code: 400 }, 'model_rejected'],
    ['no choices', { model: 'm', choices: [] }, 'model_reply_invalid'],
    ['a list', [], 'model_reply_invalid'],
    ['no reason', whole({ content: 'Mi' }, null), 'model_interrupted'],
  ])('fails with %s', async (_, body, code) => {
    app.upstream.answer(json(body));
    await expect(app.chat().complete(question)).rejects.toMatchObject({ code, provider: 'openai' });
  });

  it('leaves what the hop fails with as it is', async () => {
    app.upstream.answer(json({ error: { message: 'Unknown model' } }, 404));
    await expect(app.chat().complete(question)).rejects.toMatchObject({ code: 'egress_rejected' });
  });
});
