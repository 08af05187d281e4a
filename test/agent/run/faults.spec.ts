import { describe, expect, it } from '@jest/globals';
import { defineAgent, EgressError, ModelError, runAgent } from 'nestjs-palette';
import type { Model, ModelStreamEvent, RunAgentOptions } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { z } from 'zod';
import { faultsOf } from './support/journal.js';
import { replyOf } from './support/paced.js';
import { ask, CALLER, collect, counted, doneOf, ofType, typesOf } from './support/running.js';

const MODEL = { name: 'm', provider: 'p' };
const HOP = { service: 'openai', operation: 'chat' };
const CALL: ScriptedStep = { toolCalls: [{ name: 'look' }] };

/** Asks a model of which only streams are asked. */
async function askStream(...events: ModelStreamEvent[]) {
  async function* stream() {
    yield* events;
  }
  const model: Model = { ...MODEL, complete: () => Promise.reject(new Error('it is streamed from')), stream };
  const messages: RunAgentOptions['messages'] = [{ role: 'user', text: 'q' }];
  return collect(runAgent({ model, messages, caller: CALLER }));
}

describe('a model that fails', () => {
  const thrown = [
    new ModelError('model_interrupted', MODEL, { parameters: { what: 'in the middle' } }),
    new ModelError('model_rejected', MODEL, { parameters: { what: 'it is too long' } }),
    new ModelError('model_reply_invalid', MODEL, { parameters: { what: 'it is none' } }),
    new EgressError('egress_unavailable', HOP, { parameters: { what: 'it is down' } }),
    new EgressError('egress_cancelled', HOP),
  ];
  it.each(thrown.map((error) => ({ code: error.code, retryable: error.retryable, thrown: error })))(
    'ends the run with the error that it threw: $code',
    async ({ code, retryable, thrown }) => {
      const look = counted('look');
      const { events, messages } = await ask([CALL, { throws: thrown }], [look.tool]);
      expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'error', 'done']);
      const [error] = ofType(events, 'error');
      expect(error).toMatchObject({ code, retryable });
      expect(error?.message).toBe(thrown.message.replace(`[${thrown.code}] `, ''));
      expect(error?.cause).toBe(thrown);
      expect(doneOf(events)).toMatchObject({ outcome: 'failed', answer: undefined, usage: { modelCalls: 1 } });
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
      expect(faultsOf(messages)).toEqual([]);
    },
  );

  it.each([new TypeError('connect to db.internal:5432 as admin'), 'a text about db.internal', undefined])(
    'in a way that nobody foresaw says nothing of it but to its own process: %p',
    async (thrown) => {
      const { events } = await ask([{ throws: thrown }]);
      const [error] = ofType(events, 'error');
      expect(error).toMatchObject({ code: 'agent_failed', retryable: false });
      if (thrown !== undefined) expect(error?.cause).toBe(thrown);
      expect(JSON.stringify({ ...error, cause: undefined })).not.toContain('db.internal');
      expect(doneOf(events).outcome).toBe('failed');
    },
  );

  it('in the middle of its words keeps none of them', async () => {
    const { events, messages } = await ask([{ chunks: ['a', 'b'], cutAfter: 1 }]);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject({ code: 'model_interrupted' });
    expect(messages).toEqual([{ role: 'user', text: 'question' }]);
  });

  it('can be asked again by the same messages', async () => {
    const { messages } = await ask(
      [CALL, { throws: new EgressError('egress_unavailable', HOP, { parameters: { what: 'it is down' } }) }],
      [counted('look').tool],
    );
    const model = new ScriptedModel(['Back again.']);
    const agent = defineAgent({ name: 'helper', model, tools: [counted('look').tool] });
    const events = await collect(runAgent({ agent, messages, caller: CALLER }));
    expect(doneOf(events).answer).toBe('Back again.');
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text: 'Back again.' });
  });
});

describe('a reply', () => {
  it.each(['length', 'content_filter'] as const)(
    'that ends its calls by `%s` runs none of them',
    async (finishReason) => {
      const look = counted('look');
      const { events, messages } = await ask(
        [{ text: 'Well', toolCalls: [{ name: 'look' }], finishReason }],
        [look.tool],
      );
      expect(look.runs).toEqual([]);
      expect(typesOf(events)).toEqual(['error', 'done']);
      expect(ofType(events, 'error')[0]).toMatchObject({ code: 'model_interrupted', retryable: true });
      expect(faultsOf(messages)).toEqual([]);
    },
  );

  it.each(['stop', 'tool_calls'] as const)('that ends its calls by `%s` runs them', async (finishReason) => {
    const look = counted('look');
    await ask([{ toolCalls: [{ name: 'look' }], finishReason }, 'Done.'], [look.tool]);
    expect(look.runs).toHaveLength(1);
  });

  it.each(['length', 'content_filter'] as const)(
    'of words that ends by `%s` is an answer, and says so',
    async (reason) => {
      const { events } = await ask([{ text: 'As far as', finishReason: reason }]);
      expect(ofType(events, 'message')[0]).toMatchObject({ text: 'As far as', finishReason: reason });
      expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'As far as' });
    },
  );

  it.each([{ text: '' }, { text: ' \n' }, { reasoning: 'Hm.' }, { text: '', refusal: ' ' }])(
    'that says nothing and calls nothing is none: %j',
    async (reply) => {
      const { events, messages } = await ask([reply]);
      expect(ofType(events, 'error')[0]).toMatchObject({ code: 'model_reply_invalid' });
      expect(messages).toHaveLength(1);
    },
  );

  it('that only declines is said', async () => {
    const { events, messages } = await ask([{ refusal: 'I cannot help with that.' }]);
    expect(ofType(events, 'message')[0]).toMatchObject({
      text: 'I cannot help with that.',
      refusal: 'I cannot help with that.',
    });
    expect(doneOf(events)).toMatchObject({ outcome: 'completed', answer: 'I cannot help with that.' });
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', text: 'I cannot help with that.' });
  });

  it('that says something and declines keeps both', async () => {
    const { events } = await ask([{ text: 'Part of it.', refusal: 'Not the rest.' }]);
    expect(ofType(events, 'message')[0]).toMatchObject({ text: 'Part of it.', refusal: 'Not the rest.' });
  });
});

describe('a stream', () => {
  const delta = { type: 'text_delta', text: 'Half' } as const;

  it('without a reply at its end is an interrupted one', async () => {
    const events = await askStream(delta);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject({ code: 'model_interrupted' });
  });

  it('is over with its reply, whatever comes after', async () => {
    const events = await askStream(delta, { type: 'reply', reply: replyOf('Half.') }, delta);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'message', 'done']);
  });
});

describe('an answer that is to have a shape', () => {
  const answered = async (text: string) => {
    const output = z.object({ total: z.number() });
    const agent = defineAgent({ name: 'adder', model: new ScriptedModel([text]), output });
    return collect(runAgent({ agent, messages: [{ role: 'user', text: 'q' }], caller: CALLER }));
  };

  it.each(['not JSON', '{"total":"3"}', '{}', 'null'])('and has another is an error: %s', async (text) => {
    const events = await answered(text);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'message', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject({ code: 'agent_output_invalid', retryable: true });
    expect(doneOf(events)).toMatchObject({ outcome: 'failed', answer: undefined });
  });

  it('and has it is told as what it is', async () => {
    expect(doneOf(await answered('{"total":3}'))).toMatchObject({ outcome: 'completed', answer: { total: 3 } });
  });
});
