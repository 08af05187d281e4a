import { setTimeout as sleep } from 'node:timers/promises';
import { BadRequestException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { functionTool, runAgent } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { z } from 'zod';
import { ask, CALLER, collect, counted, doneOf, ofType, typesOf } from './support/running.js';

describe('a run', () => {
  it('answers a question in one step', async () => {
    const { events, messages } = await ask([{ chunks: ['Hel', 'lo.'] }]);
    expect(events.map(({ type }) => type)).toEqual(['message_delta', 'message_delta', 'message', 'done']);
    expect(ofType(events, 'message_delta').map(({ text }) => text)).toEqual(['Hel', 'lo.']);
    expect(doneOf(events)).toMatchObject({
      outcome: 'completed',
      answer: 'Hello.',
      agent: 'helper',
      usage: { inputTokens: 10, outputTokens: 5, modelCalls: 1, toolCalls: 0 },
    });
    expect(messages).toEqual([
      { role: 'user', text: 'question' },
      { role: 'assistant', text: 'Hello.', toolCalls: [] },
    ]);
  });

  it('calls a tool, tells the model what came of it, and answers', async () => {
    const { tool, runs } = counted('look_up');
    const { events, messages, model } = await ask(
      [{ toolCalls: [{ name: 'look_up', arguments: { id: 7 } }] }, 'Seven.'],
      [tool],
    );
    expect(typesOf(events)).toEqual(['tool_call', 'tool_result', 'message', 'done']);
    expect(runs).toEqual([{ id: 7 }]);
    expect(model.requests[1]?.messages).toEqual(messages.slice(0, 3));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(messages[2]).toMatchObject({ toolCallId: 'call_1_1', isError: false, content: { ran: 'look_up' } });
    expect(events.map(({ seq }) => seq)).toEqual([...events.map(({ seq }) => seq)].sort((one, other) => one - other));
  });

  it('takes a model that only completes', async () => {
    const streamed = new ScriptedModel(['Whole.']);
    const model = { name: 'whole', provider: 'x', complete: streamed.complete.bind(streamed) };
    const messages = [{ role: 'user' as const, text: 'q' }];
    const events = await collect(runAgent({ model, messages, caller: CALLER }));
    expect(events.map(({ type }) => type)).toEqual(['message', 'done']);
  });
});

describe('parallel calls', () => {
  it('run side by side, and their results enter the transcript in the order of the calls', async () => {
    const order: string[] = [];
    const slow = counted('slow', {
      execute: async () => {
        await sleep(20);
        order.push('slow');
        return 1;
      },
    });
    const quick = counted('quick', { execute: () => void order.push('quick') });
    const { events, messages } = await ask(
      [{ toolCalls: [{ name: 'slow' }, { name: 'quick' }, { name: 'missing' }] }, 'Done.'],
      [slow.tool, quick.tool],
    );
    expect(order).toEqual(['quick', 'slow']);
    expect(ofType(events, 'tool_result').map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['slow', false],
      ['quick', false],
      ['missing', true],
    ]);
    expect(messages.slice(2, 5).map((message) => 'content' in message && message.content)).toEqual([
      1,
      {},
      { code: 'tool_unknown', message: 'No tool of that name is available.' },
    ]);
  });

  it('run no more at once than `toolConcurrency` says', async () => {
    let [running, most] = [0, 0];
    const tool = counted('busy', {
      execute: async () => {
        most = Math.max(most, ++running);
        await sleep(5);
        running--;
      },
    }).tool;
    const calls = Array.from({ length: 6 }, () => ({ name: 'busy' }));
    await ask([{ toolCalls: calls }, 'Done.'], [tool], { toolConcurrency: 2 });
    expect(most).toBe(2);
  });

  it('of which one fails leave the others their results', async () => {
    const fine = counted('fine');
    const refusing = counted('refusing', {
      execute: () => {
        throw new BadRequestException('not like this');
      },
    });
    const { events } = await ask(
      [{ toolCalls: [{ name: 'refusing' }, { name: 'fine' }] }, 'Sorry.'],
      [fine.tool, refusing.tool],
    );
    expect(ofType(events, 'tool_result').map(({ content }) => content)).toEqual([
      { code: 'bad_request', message: 'not like this' },
      { ran: 'fine', args: {} },
    ]);
    expect(doneOf(events).outcome).toBe('completed');
  });
});

describe('a tool that fails in a way that the model cannot act on', () => {
  const broken = () =>
    counted('broken', {
      execute: () => {
        throw new Error('connection string postgres://secret');
      },
    });

  it('ends the run with an error, and every call has a result', async () => {
    const fine = counted('fine');
    const { events, messages } = await ask(
      [{ toolCalls: [{ name: 'broken' }, { name: 'fine' }] }],
      [broken().tool, fine.tool],
    );
    expect(typesOf(events)).toEqual(['tool_call', 'tool_call', 'tool_result', 'tool_result', 'error', 'done']);
    expect(ofType(events, 'error')[0]).toMatchObject({
      code: 'tool_failed',
      message: 'The tool "broken" failed.',
      retryable: false,
    });
    expect(doneOf(events)).toMatchObject({ outcome: 'failed', answer: undefined });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(fine.runs).toHaveLength(1);
  });

  it('tells the model that nobody knows whether it happened, and the caller what was thrown; the journal neither', async () => {
    const { events } = await ask([{ toolCalls: [{ name: 'broken' }] }], [broken().tool]);
    expect(ofType(events, 'tool_result')[0]?.content).toMatchObject({ code: 'tool_outcome_unknown' });
    const { cause, ...told } = ofType(events, 'error')[0] ?? {};
    expect((cause as { cause?: Error }).cause?.message).toContain('secret');
    expect(JSON.stringify([told, events.filter(({ type }) => type !== 'error')])).not.toContain('secret');
  });

  it('is simply told to have failed where a repeat does no harm', async () => {
    const tool = counted('reads', {
      annotations: { readOnly: true },
      execute: () => {
        throw new Error('down');
      },
    }).tool;
    const { events } = await ask([{ toolCalls: [{ name: 'reads' }] }], [tool]);
    expect(ofType(events, 'tool_result')[0]?.content).toMatchObject({ code: 'tool_failed' });
  });
});

describe('a function tool', () => {
  const adding = functionTool({
    name: 'add',
    description: 'Adds.',
    input: z.object({ one: z.number(), other: z.number() }),
    execute: ({ one, other }) => one + other,
  });

  it('is told with the schema of its input', async () => {
    const { model } = await ask(['No need.'], [adding]);
    expect(model.requests[0]?.tools).toMatchObject([
      { name: 'add', inputSchema: { type: 'object', required: ['one', 'other'] } },
    ]);
  });

  it('is run with what its input makes of the arguments', async () => {
    const { events } = await ask([{ toolCalls: [{ name: 'add', arguments: { one: 1, other: 2 } }] }, '3'], [adding]);
    expect(ofType(events, 'tool_result')[0]).toMatchObject({ isError: false, content: 3 });
  });

  it('is not run with arguments that do not fit: the model is told which', async () => {
    const { events } = await ask([{ toolCalls: [{ name: 'add', arguments: { one: '1' } }] }, 'Oh.'], [adding]);
    expect(ofType(events, 'tool_result')[0]).toMatchObject({
      isError: true,
      content: {
        code: 'tool_arguments_invalid',
        details: [{ pointer: '/one' }, { pointer: '/other' }],
      },
    });
  });

  it('is not run with a key that is the name of a prototype, however loose its input', async () => {
    const { tool, runs } = counted('any');
    const args = JSON.parse('{"deep":{"__proto__":{"isAdmin":true}}}') as Record<string, unknown>;
    const { events } = await ask([{ toolCalls: [{ name: 'any', arguments: args }] }, 'Oh.'], [tool]);
    expect(ofType(events, 'tool_result')[0]?.content).toMatchObject({
      code: 'tool_arguments_unknown',
      details: [{ pointer: '/deep/__proto__' }],
    });
    expect(runs).toEqual([]);
  });

  it('takes as many arguments as an operation does, and no more', async () => {
    const { tool, runs } = counted('any');
    const call = (length: number) => ({ toolCalls: [{ name: 'any', arguments: { text: 'x'.repeat(length) } }] });
    const { events } = await ask([call(1_048_565), call(1_048_566), 'Oh.'], [tool]);
    expect(ofType(events, 'tool_result').map(({ content }) => content)).toMatchObject([
      { ran: 'any' },
      { code: 'tool_arguments_too_large' },
    ]);
    expect(runs).toHaveLength(1);
  });

  it('is not run with arguments that are no JSON object', async () => {
    const { tool, runs } = counted('any');
    const { events } = await ask(
      [
        {
          toolCalls: [
            { name: 'any', fault: 'not_json' },
            { name: 'any', fault: 'not_an_object' },
          ],
        },
        'Oh.',
      ],
      [tool],
    );
    expect(ofType(events, 'tool_result').map(({ content }) => content)).toMatchObject([
      { code: 'tool_arguments_invalid', details: [{ problem: 'are not JSON' }] },
      { code: 'tool_arguments_invalid', details: [{ problem: 'must be one JSON object' }] },
    ]);
    expect(runs).toEqual([]);
  });
});
