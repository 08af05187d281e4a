import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ModelReply, ModelRequest } from '../../lib/agent/model/index.js';
import { BootFaults } from '../../lib/common/index.js';
import {
  GenAiTelemetry,
  readTelemetryOptions,
  telemetry,
  type GenAiConventions,
  type TelemetryOptions,
} from '../../lib/telemetry/index.js';
import { Recorder } from './support/recorder.js';

const CONVENTIONS: readonly GenAiConventions[] = ['latest', '1.41', 'both'];
const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 };
const request: ModelRequest = {
  system: 'Be brief.',
  messages: [
    { role: 'user', text: 'How many notes?' },
    { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'notes_count', arguments: { of: 'me' } }] },
    { role: 'tool', toolCallId: 'c1', toolName: 'notes_count', content: 2, isError: false },
  ],
  tools: [],
};
const reply: ModelReply = { text: 'Two.', toolCalls: [], finishReason: 'stop', usage: USAGE, model: 'gpt-5-2026' };

function genAi(options: TelemetryOptions = {}): GenAiTelemetry {
  const faults = new BootFaults();
  const settings = readTelemetryOptions(options, faults);
  faults.throwIfAny();
  return new GenAiTelemetry(settings);
}

/** One run: a model call and a tool call inside it. */
function runOnce(told: GenAiTelemetry): void {
  const agent = told.startAgent({
    agent: 'triage',
    description: 'Sorts',
    conversationId: 'conv',
    model: 'gpt-5',
    provider: 'openai',
  });
  agent.run(() => {
    const chat = told.startChat({
      model: 'gpt-5',
      provider: 'openai',
      conversationId: 'conv',
      isStreamed: true,
      maxOutputTokens: 100,
      temperature: 0.5,
      outputType: 'text',
      content: () => request,
    });
    chat.firstChunk();
    chat.firstChunk();
    chat.end(reply);
    const tool = told.startTool({
      tool: 'notes_count',
      callId: 'c1',
      description: 'Counts',
      agent: 'triage',
      conversationId: 'conv',
      arguments: { of: 'me' },
    });
    tool.end({ result: { count: 2 } });
  });
  agent.end({ usage: USAGE, finishReason: 'stop', modelCalls: 1, toolCalls: 1 });
  agent.end({ usage: { inputTokens: 99 } });
}

describe('GenAI telemetry with the OpenTelemetry SDK', () => {
  let recorder: Recorder;
  beforeAll(() => {
    recorder = new Recorder();
  });
  beforeEach(async () => {
    recorder.reset();
    await recorder.measured();
  });
  afterAll(() => recorder.stop());

  it.each(CONVENTIONS)('names spans and attributes as the conventions do: %s', (semconv) => {
    runOnce(genAi({ semconv }));
    const old = semconv !== 'latest';
    const agent = recorder.span('invoke_agent triage');
    expect(agent.kind).toBe(SpanKind.INTERNAL);
    expect(agent.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'triage',
      'gen_ai.agent.description': 'Sorts',
      'gen_ai.conversation.id': 'conv',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      ...(old ? { 'gen_ai.provider.name': 'openai', 'gen_ai.usage.cache_read.input_tokens': 4 } : {}),
    });
    const chat = recorder.span('chat gpt-5');
    expect(chat.kind).toBe(SpanKind.CLIENT);
    expect(chat.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.conversation.id': 'conv',
      'gen_ai.output.type': 'text',
      'gen_ai.request.stream': true,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.model': 'gpt-5-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
    const tool = recorder.span('execute_tool notes_count');
    expect(tool.kind).toBe(SpanKind.INTERNAL);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'notes_count',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.description': 'Counts',
      'gen_ai.agent.name': 'triage',
      'gen_ai.conversation.id': 'conv',
    });
    for (const child of [chat, tool]) {
      expect(child.parentSpanContext?.spanId).toBe(agent.spanContext().spanId);
    }
  });

  const LATEST = [
    'gen_ai.client.inference.duration',
    'gen_ai.client.inference.time_to_first_chunk',
    'gen_ai.client.inference.usage.cache_read.input_tokens',
    'gen_ai.client.inference.usage.input_tokens',
    'gen_ai.client.inference.usage.output_tokens',
    'gen_ai.client.inference.usage.reasoning.output_tokens',
    'gen_ai.execute_tool.duration',
    'gen_ai.invoke_agent.duration',
    'gen_ai.invoke_agent.inference_calls',
    'gen_ai.invoke_agent.tool_calls',
  ];
  const OLD = [
    'gen_ai.client.operation.duration',
    'gen_ai.client.operation.time_to_first_chunk',
    'gen_ai.client.token.usage',
  ];
  it.each([
    ['latest', LATEST],
    ['1.41', OLD],
    ['both', [...LATEST, ...OLD]],
  ] as const)('measures as the conventions do: %s', async (semconv, names) => {
    runOnce(genAi({ semconv }));
    const measured = await recorder.measured();
    expect(Object.keys(measured).sort()).toEqual([...names].sort());
    const dimensions = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.response.model': 'gpt-5-2026',
    };
    if (semconv !== '1.41') {
      expect(measured['gen_ai.client.inference.usage.input_tokens']).toEqual([{ attributes: dimensions, value: 10 }]);
      expect(measured['gen_ai.invoke_agent.tool_calls']).toEqual([
        { attributes: { 'gen_ai.agent.name': 'triage', 'gen_ai.request.model': 'gpt-5' }, value: 1 },
      ]);
    }
    if (semconv !== 'latest') {
      expect(measured['gen_ai.client.token.usage']).toEqual([
        { attributes: { ...dimensions, 'gen_ai.token.type': 'input' }, value: 10 },
        { attributes: { ...dimensions, 'gen_ai.token.type': 'output' }, value: 5 },
      ]);
    }
  });

  it('tells what was said only where it is asked to', () => {
    runOnce(genAi());
    const silent = JSON.stringify(recorder.spans.map(({ attributes }) => attributes));
    expect(silent).not.toMatch(/Be brief|How many|Two\.|"of"|count":2/);
    recorder.reset();
    runOnce(genAi({ captureContent: true }));
    const { attributes } = recorder.span('chat gpt-5');
    expect(JSON.parse(String(attributes['gen_ai.system_instructions']))).toEqual([
      { type: 'text', content: 'Be brief.' },
    ]);
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'How many notes?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'notes_count', arguments: { of: 'me' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 2 }] },
    ]);
    expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Two.' }], finish_reason: 'stop' },
    ]);
    expect(recorder.span('execute_tool notes_count').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"of":"me"}',
      'gen_ai.tool.call.result': '{"count":2}',
    });
  });

  it('tells failures by their code, never by their message', async () => {
    const told = genAi();
    told.startTool({ tool: 't', callId: '1' }).end({ errorCode: 'tool_arguments_invalid' });
    told.startChat({ model: 'm', provider: 'p' }).fail(new TypeError('the secret is hunter2'));
    told.startAgent({ agent: 'a' }).fail('thrown text', { modelCalls: 1 });
    expect(recorder.spans.map(({ attributes, status }) => [attributes['error.type'], status])).toEqual([
      ['tool_arguments_invalid', { code: SpanStatusCode.ERROR }],
      ['TypeError', { code: SpanStatusCode.ERROR }],
      ['_OTHER', { code: SpanStatusCode.ERROR }],
    ]);
    expect(recorder.spans.flatMap(({ events }) => events)).toEqual([]);
    const { 'gen_ai.client.inference.duration': durations } = await recorder.measured();
    expect(durations).toMatchObject([{ attributes: { 'error.type': 'TypeError' } }]);
  });

  it('links a resumed call to the run that asked for its approval', () => {
    const told = genAi();
    const run = told.startAgent({ agent: 'a' });
    run.approvalRequested({ id: 'ap1', state: 'pending' });
    run.end({});
    const stored = JSON.parse(JSON.stringify(run.link)) as NonNullable<typeof run.link>;
    const approval = { id: 'ap1', state: 'approved', waitedMs: 1_500 };
    told.startTool({ tool: 't', callId: '1', approval, links: [stored] }).end({});
    const tool = recorder.span('execute_tool t');
    const asked = recorder.span('invoke_agent a');
    expect(tool.links.map(({ context }) => context.spanId)).toEqual([asked.spanContext().spanId]);
    expect(tool.spanContext().traceId).not.toBe(asked.spanContext().traceId);
    expect(tool.attributes).toMatchObject({
      'palette.approval.id': 'ap1',
      'palette.approval.state': 'approved',
      'palette.approval.wait_s': 1.5,
    });
    expect(asked.events).toMatchObject([
      { name: 'palette.approval.requested', attributes: { 'palette.approval.id': 'ap1' } },
    ]);
  });

  it('ends a span with its work, and fails it with what the work throws', async () => {
    const link = await telemetry.span('fine', {}, () => telemetry.currentLink());
    expect(recorder.span('fine').spanContext()).toMatchObject({ ...link });
    expect(telemetry.currentLink()).toBeUndefined();
    const failure = telemetry.span('bad', { kind: 'client' }, () => Promise.reject(new RangeError('no')));
    await expect(failure).rejects.toThrow('no');
    expect(recorder.span('bad').attributes).toEqual({ 'error.type': 'RangeError' });
  });
});

describe('options of telemetry', () => {
  it.each([
    [{ semconv: '1.36' }, 'semconv'],
    [{ captureContent: 'true' }, 'captureContent'],
  ])('refuses %j', (options, key) => {
    expect(() => genAi(options as TelemetryOptions)).toThrow(`[telemetry_options_invalid] Telemetry: \`${key}\``);
  });

  it.each(CONVENTIONS)('takes %s', (semconv) => {
    expect(() => genAi({ semconv, captureContent: true })).not.toThrow();
  });
});

describe('telemetry without a provider', () => {
  it('does nothing, and never looks at what it is not asked for', async () => {
    const told = genAi({ captureContent: true });
    const chat = told.startChat({
      model: 'm',
      provider: 'p',
      content: () => {
        throw new Error('asked for content');
      },
    });
    expect(chat.link).toBeUndefined();
    expect(chat.run(() => 1)).toBe(1);
    chat.firstChunk();
    chat.end(reply);
    chat.fail(new Error('x'));
    expect(told.startAgent({ agent: 'a' })).toBe(told.startTool({ tool: 't', callId: 'c' }));
    const headers = new Headers({ tracestate: 'a=1' });
    await telemetry.span('s', {}, () => telemetry.inject(headers));
    expect([...headers]).toEqual([['tracestate', 'a=1']]);
    expect(telemetry.suppress(() => telemetry.currentLink())).toBeUndefined();
  });
});
