import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictException } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as openTelemetry from '@opentelemetry/api';
import { defineAgent, InMemoryAgentStore } from 'nestjs-palette';
import type { AgentEvent, AgentOptions, FunctionTool, Model, RunAgentOptions, TelemetryOptions } from 'nestjs-palette';
import { FakeClock, ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { Recorder } from '../../telemetry/support/recorder.js';
import { approvalsOf, decideAll } from './support/approvals.js';
import { hangingModel, replyOf } from './support/paced.js';
import { collect, counted, doneOf, say } from './support/running.js';

type Conventions = NonNullable<TelemetryOptions['semconv']>;
const api = createRequire(import.meta.url)('@opentelemetry/api') as typeof openTelemetry;
const inSpan = <T>(name: string, work: () => T): T =>
  openTelemetry.trace.getTracer('application').startActiveSpan(name, (span) => {
    try {
      return work();
    } finally {
      span.end();
    }
  });

let store: InMemoryAgentStore;
beforeEach(() => {
  store = new InMemoryAgentStore();
});

function agentOf(model: Model, tools: readonly FunctionTool[] = [], more: Partial<AgentOptions> = {}) {
  return defineAgent({ name: 'helper', description: 'Helps', model, tools, ...more });
}

const run = (
  script: readonly ScriptedStep[],
  tools: readonly FunctionTool[] = [],
  extra: Partial<RunAgentOptions> = {},
) => collect(say(agentOf(scripted(script), tools), 'a question', { store, ...extra } as never));

const scripted = (script: readonly ScriptedStep[]): ScriptedModel =>
  new ScriptedModel(script, { name: 'gpt-5', provider: 'openai' });

const TWO_CALLS: ScriptedStep = { toolCalls: [{ name: 'slow' }, { name: 'quick' }] };
/** Two tools, of which the first is still running when the second is done; each makes a span of its own. */
const twoTools = (): FunctionTool[] =>
  (['slow', 'quick'] as const).map(
    (name) =>
      counted(name, {
        execute: async () => {
          await sleep(name === 'slow' ? 10 : 1);
          inSpan(`inside ${name}`, () => undefined);
        },
      }).tool,
  );

describe('a run, with the OpenTelemetry SDK', () => {
  let recorder: Recorder;
  beforeAll(() => {
    recorder = new Recorder();
  });
  beforeEach(async () => {
    recorder.reset();
    await recorder.measured();
  });
  afterAll(() => recorder.stop());

  const idOf = (name: string): string => recorder.span(name).spanContext().spanId;
  const parentsOf = (name: string): (string | undefined)[] =>
    recorder.spans.filter((span) => span.name === name).map(({ parentSpanContext }) => parentSpanContext?.spanId);

  it('is a span around its model calls and its tools, those side by side included', async () => {
    await run([TWO_CALLS, { chunks: ['Do', 'ne'] }], twoTools());
    expect([...recorder.names].sort()).toEqual([
      ...['chat gpt-5', 'chat gpt-5', 'execute_tool quick', 'execute_tool slow'],
      ...['inside quick', 'inside slow', 'invoke_agent helper'],
    ]);
    const agent = idOf('invoke_agent helper');
    expect(parentsOf('invoke_agent helper')).toEqual([undefined]);
    expect(parentsOf('chat gpt-5')).toEqual([agent, agent]);
    expect([...parentsOf('execute_tool slow'), ...parentsOf('execute_tool quick')]).toEqual([agent, agent]);
    expect(parentsOf('inside slow')).toEqual([idOf('execute_tool slow')]);
    expect(parentsOf('inside quick')).toEqual([idOf('execute_tool quick')]);
    expect(new Set(recorder.spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(recorder.spans.every(({ status }) => status.code === openTelemetry.SpanStatusCode.UNSET)).toBe(true);
  });

  it('is a child of what is active where it is begun, whatever its reader is at between two events', async () => {
    const events = say(agentOf(scripted([TWO_CALLS, { chunks: ['a', 'b', 'c'] }]), twoTools()), 'q', {
      store,
    } as never);
    const next = (name: string) => inSpan(name, () => events.next());
    await next('request');
    for (let count = 0; !(await next(`event ${count}`)).done; count++);
    const agent = idOf('invoke_agent helper');
    expect(parentsOf('invoke_agent helper')).toEqual([idOf('request')]);
    expect(parentsOf('chat gpt-5')).toEqual([agent, agent]);
    expect(parentsOf('execute_tool slow')).toEqual([agent]);
  });

  it('has what a model does while it streams under its model call', async () => {
    async function* stream() {
      for (const text of ['a', 'b']) {
        await sleep(1);
        inSpan(`hop ${text}`, () => undefined);
        yield { type: 'text_delta' as const, text };
      }
      yield { type: 'reply' as const, reply: replyOf('ab') };
    }
    await collect(say(agentOf({ ...hangingModel('complete'), stream }), 'q', { store } as never));
    const chat = idOf('chat hanging');
    expect([...parentsOf('hop a'), ...parentsOf('hop b')]).toEqual([chat, chat]);
  });

  it.each(['latest', '1.41', 'both'] satisfies Conventions[])(
    'tells what the conventions name: %s',
    async (semconv) => {
      const usage = { inputTokens: 7, outputTokens: 3, cachedInputTokens: 5, reasoningTokens: 1 };
      const script: ScriptedStep[] = [
        { toolCalls: [{ name: 'look', id: 'call_7' }], usage },
        { text: 'Done.', usage },
      ];
      const more = { maxOutputTokens: 50, temperature: 0.2 };
      const agent = agentOf(scripted(script), [counted('look').tool], more);
      await collect(say(agent, 'q', { store, telemetry: { semconv } } as never));
      const isOld = semconv !== 'latest';
      const common = { 'gen_ai.conversation.id': 'c-1' };
      expect(recorder.span('invoke_agent helper').attributes).toEqual({
        ...common,
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'helper',
        'gen_ai.agent.description': 'Helps',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 14,
        'gen_ai.usage.output_tokens': 6,
        ...(isOld && { 'gen_ai.provider.name': 'openai' }),
      });
      const [first, last] = recorder.spans.filter(({ name }) => name === 'chat gpt-5');
      const chat = {
        ...common,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.request.stream': true,
        'gen_ai.request.max_tokens': 50,
        'gen_ai.request.temperature': 0.2,
        'gen_ai.output.type': 'text',
        'gen_ai.response.model': 'gpt-5',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.usage.cache_read.input_tokens': 5,
        'gen_ai.usage.reasoning.output_tokens': 1,
      };
      expect(first?.attributes).toEqual({ ...chat, 'gen_ai.response.finish_reasons': ['tool_calls'] });
      expect(last?.attributes).toEqual({
        ...chat,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
      });
      expect(recorder.span('execute_tool look').attributes).toEqual({
        ...common,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'look',
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': 'call_7',
        'gen_ai.tool.description': 'look',
        'gen_ai.agent.name': 'helper',
      });
    },
  );

  it('measures how often it called a model and tools', async () => {
    await run([TWO_CALLS, 'Done.'], twoTools());
    const measured = await recorder.measured();
    expect(measured['gen_ai.invoke_agent.inference_calls']).toMatchObject([{ value: 2 }]);
    expect(measured['gen_ai.invoke_agent.tool_calls']).toMatchObject([{ value: 2 }]);
  });

  it('has no conversation where the application keeps the messages', async () => {
    const messages = [{ role: 'user' as const, text: 'q' }];
    const agent = agentOf(scripted(['Done.']));
    const options = { conversation: undefined, principal: undefined, store: undefined, messages };
    await collect(say(agent, undefined, options as never));
    for (const { attributes } of recorder.spans) expect(attributes).not.toHaveProperty('gen_ai.conversation.id');
  });

  const errorsOf = (): Record<string, unknown> =>
    Object.fromEntries(recorder.spans.map(({ name, attributes }) => [name, attributes['error.type']]));
  const throwing = (thrown: Error): FunctionTool => counted('look', { execute: () => Promise.reject(thrown) }).tool;
  const CALL: ScriptedStep = { toolCalls: [{ name: 'look' }] };

  it.each<[string, ScriptedStep[], FunctionTool[], Partial<RunAgentOptions>, object]>([
    ['of a model', [{ throws: new TypeError('secret') }], [], {}, { 'chat gpt-5': 'TypeError', agent: 'TypeError' }],
    [
      'of a tool, which the model is told',
      [CALL, 'Oh.'],
      [throwing(new ConflictException('secret'))],
      {},
      { 'chat gpt-5': undefined, 'execute_tool look': 'conflict', agent: undefined },
    ],
    [
      'of a tool, which ends the run',
      [CALL],
      [throwing(new RangeError('secret'))],
      {},
      { 'chat gpt-5': undefined, 'execute_tool look': 'RangeError', agent: 'tool_failed' },
    ],
    [
      'of a budget',
      [CALL],
      [counted('look').tool],
      { budget: { requests: 1 } },
      { 'chat gpt-5': undefined, 'execute_tool look': undefined, agent: 'agent_budget_exceeded' },
    ],
  ])(
    'tells a failure by its code where it happened, and never in words: %s',
    async (_what, script, tools, extra, expected) => {
      await run(script, tools, extra);
      const { 'invoke_agent helper': agent, ...others } = errorsOf();
      expect({ ...others, agent }).toEqual(expected);
      expect(
        JSON.stringify(recorder.spans.map(({ attributes, events, status }) => [attributes, events, status])),
      ).not.toContain('secret');
    },
  );

  it('tells what a run used that failed', async () => {
    await run([CALL, { throws: new Error('x') }], [counted('look').tool]);
    expect(recorder.span('invoke_agent helper').attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 10,
      'error.type': 'Error',
    });
  });

  it('does not fail where its reader leaves, nor where it is cancelled', async () => {
    for await (const _event of say(agentOf(scripted([{ chunks: ['a', 'b'] }])), 'q', { store } as never)) break;
    await run([], [], { signal: AbortSignal.abort() });
    expect(recorder.names).toEqual(['chat gpt-5', 'invoke_agent helper', 'invoke_agent helper']);
    expect(recorder.spans.flatMap(({ attributes }) => attributes['error.type'] ?? [])).toEqual([]);
  });

  it('that waited is linked to by the one that goes on, and says how long', async () => {
    const clock = new FakeClock();
    store = new InMemoryAgentStore({ clock });
    const approvals = approvalsOf(store);
    const tools = [counted('pay', { approval: 'It costs money.' }).tool];
    const agent = agentOf(scripted([{ toolCalls: [{ name: 'pay' }] }, 'Done.']), tools);
    const options = { store, approvals, clock } as never;
    expect(doneOf(await collect(say(agent, 'q', options))).outcome).toBe('waiting');
    const [asked] = recorder.spans.filter(({ name }) => name === 'invoke_agent helper');
    const [approval] = (await store.approvals({})).approvals;
    expect(asked?.events).toMatchObject([
      {
        name: 'palette.approval.requested',
        attributes: { 'palette.approval.id': approval?.approvalId, 'palette.approval.state': 'pending' },
      },
    ]);
    recorder.reset();
    await clock.advance(90_000);
    await decideAll(store);
    await clock.advance(5_000);
    expect(doneOf(await collect(say(agent, undefined, options))).outcome).toBe('completed');
    const resumed = recorder.span('invoke_agent helper');
    expect(resumed.links.map(({ context }) => context.spanId)).toEqual([asked?.spanContext().spanId]);
    expect(resumed.spanContext().traceId).not.toBe(asked?.spanContext().traceId);
    expect(recorder.span('execute_tool pay').attributes).toMatchObject({
      'palette.approval.id': approval?.approvalId,
      'palette.approval.state': 'approved',
      'palette.approval.wait_s': 90,
    });
    expect(parentsOf('execute_tool pay')).toEqual([resumed.spanContext().spanId]);
  });

  it('that did not wait has no link and no approval', async () => {
    await run([CALL, 'Done.'], [counted('look').tool]);
    expect(recorder.spans.flatMap(({ links, events }) => [...links, ...events])).toEqual([]);
    expect(Object.keys(recorder.span('execute_tool look').attributes).join()).not.toContain('approval');
  });

  it('tells what was said only where it is asked to', async () => {
    const script: ScriptedStep[] = [{ toolCalls: [{ name: 'look', arguments: { of: 'violets' } }] }, 'They are blue.'];
    const told = () => JSON.stringify(recorder.spans.map(({ attributes, events }) => [attributes, events]));
    await run(script, [counted('look').tool]);
    expect(told()).not.toMatch(/violets|blue|question/);
    recorder.reset();
    await run(script, [counted('look').tool], { telemetry: { captureContent: true } });
    const { attributes } = recorder.span('execute_tool look');
    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"of":"violets"}');
    expect(attributes['gen_ai.tool.call.result']).toBe('{"ran":"look","args":{"of":"violets"}}');
    expect(told()).toMatch(/a question[^]*They are blue/);
  });

  it('asks for a tracer', async () => {
    const getTracer = jest.spyOn(api.trace, 'getTracer');
    await run(['Done.']);
    expect(getTracer).toHaveBeenCalled();
  });
});

describe('a run, where nobody listens', () => {
  it('asks for no tracer and no meter of its own, and reads no approval for it', async () => {
    const getTracer = jest.spyOn(api.trace, 'getTracer');
    const active = jest.spyOn(api.context, 'with');
    const approval = jest.spyOn(store, 'approval');
    const approvals = approvalsOf(store);
    const tools = [counted('pay', { approval: 'It costs money.' }).tool];
    const agent = agentOf(scripted([{ toolCalls: [{ name: 'pay' }] }, 'Done.']), tools);
    const options = { store, approvals } as never;
    await collect(say(agent, 'q', options));
    const before = approval.mock.calls.length;
    await decideAll(store);
    const events: AgentEvent[] = await collect(say(agent, undefined, options));
    expect(doneOf(events).outcome).toBe('completed');
    expect([getTracer.mock.calls, active.mock.calls]).toEqual([[], []]);
    expect(approval.mock.calls.length).toBe(before);
  });

  it('keeps no trace of itself', async () => {
    await run(['Done.']);
    const [started] = await store.read('c-1');
    expect(started?.item).not.toHaveProperty('trace');
  });
});
