import { describe, expect, it } from '@jest/globals';
import { toMessages, transcriptFaults } from '../../../lib/agent/transcript/index.js';
import {
  ada,
  asked,
  call,
  decided,
  handedOff,
  journal,
  replied,
  requested,
  result,
  runEnded,
  runStarted,
} from './support/journal.js';

const user = (text: string): object => ({ role: 'user', text });
const assistant = (text: string, ...ids: readonly string[]): object => ({
  role: 'assistant',
  text,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: {} })),
});
const told = (toolCallId: string, content: unknown): object => ({
  role: 'tool',
  toolCallId,
  toolName: 'look',
  content,
  isError: false,
});

describe('toMessages', () => {
  it('tells what was said, called and answered', () => {
    const entries = journal(
      runStarted(),
      asked('What is there?'),
      replied('Let me look.', [call('c1', { arguments: '{"in":{"box":[1]}}' })]),
      result('c1', { found: 2 }),
      replied('Two.'),
      runEnded(),
    );
    expect(toMessages(entries)).toEqual([
      user('What is there?'),
      {
        role: 'assistant',
        text: 'Let me look.',
        toolCalls: [{ id: 'c1', name: 'look', arguments: { in: { box: [1] } } }],
      },
      told('c1', { found: 2 }),
      assistant('Two.'),
    ]);
  });

  it('puts results behind their message in the order of its calls, wherever they stand', () => {
    const entries = journal(
      asked('Both.'),
      replied('', [call('c1'), call('c2'), call('c3')]),
      requested('c1'),
      result('c3', 3),
      handedOff('c3'),
      decided('c1', 'approved'),
      result('c2', 2),
      runEnded(),
      asked('Well?', 'r2'),
      result('c1', 1),
    );
    expect(toMessages(entries)).toEqual([
      user('Both.'),
      assistant('', 'c1', 'c2', 'c3'),
      told('c1', 1),
      told('c2', 2),
      told('c3', 3),
      user('Well?'),
    ]);
  });

  it('tells what was queued once, where a run took it up', () => {
    const entries = journal(
      asked('One.'),
      { type: 'queued_message', text: 'Two.', principal: ada },
      replied('Yes.'),
      runEnded(),
      { type: 'user_message', runId: 'r2', text: 'Two.', queuedSeq: 2 },
    );
    expect(toMessages(entries)).toEqual([user('One.'), assistant('Yes.'), user('Two.')]);
  });

  it('keeps a fault, what the provider wants back, and false, null and empty results', () => {
    const providerState = { format: 'x', signature: 's' };
    const calls = [call('c1', { fault: 'not_json' }), call('c2'), call('c3')];
    const entries = journal(
      asked('Go.'),
      replied('', calls, { providerState }),
      result('c1', false),
      result('c2', null),
      result('c3', ''),
    );
    const [, message, ...results] = toMessages(entries);
    expect(message).toMatchObject({
      providerState,
      toolCalls: [{ id: 'c1', arguments: {}, fault: 'not_json' }, {}, {}],
    });
    expect(results).toEqual([told('c1', false), told('c2', null), told('c3', '')]);
  });

  it.each(['{"a":', '[1]', 'null', ''])('reads arguments that were stored as %s without throwing', (text) => {
    const [message] = toMessages(journal(replied('', [call('c1', { arguments: text })]), result('c1', 1)));
    expect(message).toMatchObject({ toolCalls: [{ id: 'c1', arguments: {} }] });
  });

  it('leaves out an assistant that said and called nothing', () => {
    expect(toMessages(journal(asked('Hm?'), replied('', [], { refusal: 'No.' }), replied(' \n')))).toEqual([
      user('Hm?'),
    ]);
  });

  it('leaves out results of calls that nobody made, and second results', () => {
    const entries = journal(asked('Go.'), result('c9', 9), replied('', [call('c1')]), result('c1', 1), result('c1', 2));
    expect(toMessages(entries)).toEqual([user('Go.'), assistant('', 'c1'), told('c1', 1)]);
  });

  it('gives each result to its own call where two messages use one id, and tells them apart', () => {
    const entries = journal(
      asked('Go.'),
      replied('', [call('l1', { toolCallId: '0' })], { providerState: { extras: { '0': { by: '0' } } } }),
      asked('Again.', 'r2'),
      replied('', [call('l2', { toolCallId: '0' })], { runId: 'r2', providerState: { extras: { '0': { by: '0' } } } }),
      result('l2', 'second', { toolCallId: '0', runId: 'r2' }),
      result('l1', 'first', { toolCallId: '0' }),
    );
    const messages = toMessages(entries);
    const made = expect.stringMatching(/^[a-f0-9]{9}$/) as unknown as string;
    expect(messages).toEqual([
      user('Go.'),
      { ...assistant('', '0'), providerState: { extras: { '0': { by: '0' } } } },
      told('0', 'first'),
      user('Again.'),
      { ...assistant('', made), providerState: { extras: expect.anything() } },
      told(made, 'second'),
    ]);
    const [id] = messages.flatMap((message) =>
      message.role === 'tool' && message.toolCallId !== '0' ? [message.toolCallId] : [],
    );
    expect(messages[4]).toMatchObject({ toolCalls: [{ id }], providerState: { extras: { [String(id)]: { by: id } } } });
    expect(toMessages(entries)).toEqual(messages);
    expect(transcriptFaults(messages, 'anthropic')).toEqual([]);
  });

  it('tells only words where tools are left out', () => {
    const entries = journal(
      asked('Go.'),
      replied('', [call('c1')], { providerState: { s: 1 } }),
      result('c1', 1),
      replied('One more.', [call('c2')], { providerState: { s: 2 } }),
      replied('Done.', [], { providerState: { s: 3 } }),
    );
    expect(toMessages(entries, { includeTools: false })).toEqual([
      user('Go.'),
      assistant('One more.'),
      { ...assistant('Done.'), providerState: { s: 3 } },
    ]);
  });
});

describe('toMessages, of a call that has no result,', () => {
  const waiting = [asked('Go.'), replied('', [call('c1')]), requested('c1')];

  it.each<[string, string, ReturnType<typeof journal>]>([
    ['may or may not have happened', 'tool_result_missing', journal(asked('Go.'), replied('', [call('c1')]))],
    [
      'may have happened in a run that is over',
      'tool_result_missing',
      journal(asked('Go.'), replied('', [call('c1')]), runEnded()),
    ],
    ['may have happened after an approval', 'tool_result_missing', journal(...waiting, decided('c1', 'approved'))],
    ['waits', 'approval_required', journal(...waiting)],
    ['did not run: nobody decided while its run went on', 'call_cancelled', journal(...waiting, runEnded())],
    ['was denied', 'approval_denied', journal(...waiting, decided('c1', 'denied'))],
    ['expired', 'approval_expired', journal(...waiting, decided('c1', 'expired'))],
    ['was given up', 'call_superseded', journal(...waiting, decided('c1', 'superseded'), runEnded())],
    ['was cancelled', 'call_cancelled', journal(...waiting, decided('c1', 'cancelled'))],
    [
      'did not run: its arguments could not be read',
      'tool_arguments_invalid',
      journal(replied('', [call('c1', { fault: 'not_json' })]), runEnded()),
    ],
    [
      'did not run: the reply was cut short',
      'call_cancelled',
      journal(replied('', [call('c1')], { finishReason: 'length' }), runEnded()),
    ],
  ])('tells that it %s', (_, code, entries) => {
    expect(toMessages(entries).at(-1)).toMatchObject({
      role: 'tool',
      toolCallId: 'c1',
      isError: true,
      content: { code, message: expect.any(String) },
    });
  });

  it('passes on what the person said who denied it', () => {
    const entries = journal(...waiting, decided('c1', 'denied', 'Too much.'));
    expect(toMessages(entries).at(-1)).toMatchObject({ content: { details: { comment: 'Too much.' } } });
  });

  it('tells the result where there is one, whatever else the journal says', () => {
    const entries = journal(...waiting, decided('c1', 'expired'), result('c1', 'done'), runEnded());
    expect(toMessages(entries).at(-1)).toMatchObject({ isError: false, content: 'done' });
  });
});
