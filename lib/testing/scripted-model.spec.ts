import { describe, expect, it } from '@jest/globals';
import { ModelError, type ModelMessage, type ModelRequest, type ModelStreamEvent } from '../agent/model/index.js';
import type { Clock } from '../common/index.js';
import { ScriptedModel } from './scripted-model.js';

const question: ModelMessage = { role: 'user', text: 'What is there?' };
const request: ModelRequest = { messages: [question], tools: [] };

async function eventsOf(model: ScriptedModel, asked = request): Promise<ModelStreamEvent[]> {
  const events: ModelStreamEvent[] = [];
  for await (const event of model.stream(asked)) events.push(event);
  return events;
}

describe('ScriptedModel', () => {
  it('says one step a request, with a default for everything that is not told', async () => {
    const model = new ScriptedModel(['one', { toolCalls: [{ name: 'list' }, { name: 'get', arguments: { id: 1 } }] }]);
    await expect(model.complete(request)).resolves.toEqual({
      text: 'one',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
      model: 'scripted',
    });
    await expect(model.complete(request)).resolves.toMatchObject({
      text: '',
      toolCalls: [
        { id: 'call_2_1', name: 'list', arguments: {} },
        { id: 'call_2_2', name: 'get', arguments: { id: 1 } },
      ],
      finishReason: 'tool_calls',
    });
    model.assertComplete();
  });

  it('streams what complete yields, in the pieces it is told', async () => {
    const script = { chunks: ['a', 'b'], reasoning: 'hm', finishReason: 'length', providerState: { s: 1 } } as const;
    const events = await eventsOf(new ScriptedModel([script]));
    expect(events.map(({ type }) => type)).toEqual(['reasoning_delta', 'text_delta', 'text_delta', 'reply']);
    const reply = await new ScriptedModel([script]).complete(request);
    expect(events.at(-1)).toEqual({ type: 'reply', reply });
    expect(reply).toMatchObject({ text: 'ab', reasoning: 'hm', finishReason: 'length', providerState: { s: 1 } });
  });

  it('answers by the request, each one or as a step', async () => {
    const model = new ScriptedModel(({ messages }, count) => `${count}: ${messages.length}`);
    await model.complete(request);
    await expect(model.complete(request)).resolves.toMatchObject({ text: '2: 1' });
    model.assertComplete();
    const steps = new ScriptedModel([() => Promise.resolve({ text: 'made' })]);
    await expect(steps.complete(request)).resolves.toMatchObject({ text: 'made' });
  });

  it('keeps the requests as they were', async () => {
    const messages = [question];
    const model = new ScriptedModel(['one']);
    await model.complete({ ...request, messages });
    messages.push(question);
    expect(model.requests).toEqual([request]);
  });

  it('fails where it is told to, after the deltas before it', async () => {
    const error = new ModelError('model_rejected', { name: 'm', provider: 'p' }, { parameters: { what: 'busy' } });
    const model = new ScriptedModel([{ throws: error }, { throws: error }]);
    await expect(model.complete(request)).rejects.toBe(error);
    await expect(eventsOf(model)).rejects.toBe(error);
    const cut = new ScriptedModel([
      { chunks: ['a', 'b', 'c'], cutAfter: 2 },
      { text: 'a', cutAfter: 0 },
    ]);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const event of cut.stream(request)) seen.push(event.type === 'reply' ? 'reply' : event.text);
    };
    await expect(read()).rejects.toMatchObject({ code: 'model_interrupted', retryable: true });
    expect(seen).toEqual(['a', 'b']);
    await expect(cut.complete(request)).rejects.toMatchObject({ code: 'model_interrupted' });
  });

  it('waits by the clock of the test', async () => {
    const waits: number[] = [];
    const atOnce = (ms: number, callback: () => void) => {
      waits.push(ms);
      queueMicrotask(callback);
      return () => undefined;
    };
    const clock: Clock = { now: () => 1_000, after: atOnce };
    const model = new ScriptedModel(
      [
        { chunks: ['a', 'b'], delayMs: 60_000 },
        { text: 'a', delayMs: 500 },
      ],
      { clock },
    );
    await eventsOf(model);
    expect(waits).toEqual([60_000, 60_000, 60_000]);
    await expect(model.complete({ ...request, deadline: 1_200 })).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(waits.at(-1)).toBe(200);
  });

  it('ends with the caller and with the deadline, while it waits and before', async () => {
    const model = new ScriptedModel(() => ({ text: 'late', delayMs: 60_000 }));
    const caller = new AbortController();
    const waiting = model.complete({ ...request, signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'egress_cancelled' });
    await expect(eventsOf(model, { ...request, signal: caller.signal })).rejects.toMatchObject({
      code: 'egress_cancelled',
    });
    await expect(model.complete({ ...request, deadline: 1 })).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const soon = { ...request, deadline: Date.now() + 20 };
    await expect(model.complete(soon)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('tells of steps that nobody asked for, and of a request that has none', async () => {
    const model = new ScriptedModel(['one']);
    expect(() => model.assertComplete()).toThrow('1 step(s) of the script were not asked for');
    await model.complete(request);
    model.assertComplete();
    await expect(model.complete(request)).rejects.toThrow('request 2 came and the script is over');
    expect(() => model.assertComplete()).toThrow('request 2 came');
    model.push('two');
    await expect(model.complete(request)).resolves.toMatchObject({ text: 'two' });
  });

  const call = (id: string): ModelMessage => ({
    role: 'assistant',
    text: '',
    toolCalls: [{ id, name: 'list', arguments: {} }],
  });
  const result = (toolCallId: string): ModelMessage => ({
    role: 'tool',
    toolCallId,
    toolName: 'list',
    content: 1,
    isError: false,
  });

  it.each<[string, ModelMessage[]]>([
    ['there is no message', []],
    ['message 2 (user) comes before call "c" was answered', [question, call('c'), question]],
    ['call "c" is never answered', [question, call('c')]],
    ['message 3 (tool) answers "c", which no open call has', [question, call('c'), result('c'), result('c')]],
    [
      'message 1 (assistant) has neither text nor tool calls',
      [question, { role: 'assistant', text: '', toolCalls: [] }],
    ],
    ['message 1 (assistant) has a call without an id', [question, call(''), result('')]],
    [
      'message 1 (assistant) has two calls of one id',
      [
        question,
        { role: 'assistant', text: '', toolCalls: ['c', 'c'].map((id) => ({ id, name: 'l', arguments: {} })) },
      ],
    ],
  ])('refuses a transcript: %s', async (what, messages) => {
    const model = new ScriptedModel(['one']);
    await expect(model.complete({ ...request, messages })).rejects.toThrow(what);
    expect(() => model.assertComplete()).toThrow(what);
    const lenient = new ScriptedModel(['one'], { checkTranscripts: false });
    await expect(lenient.complete({ ...request, messages })).resolves.toMatchObject({ text: 'one' });
  });

  it('takes a transcript in order', async () => {
    const model = new ScriptedModel(['one']);
    const messages = [question, call('c'), result('c'), call('c'), result('c')];
    await expect(model.complete({ ...request, messages })).resolves.toMatchObject({ text: 'one' });
  });
});
