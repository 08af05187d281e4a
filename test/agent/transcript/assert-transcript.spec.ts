import { describe, expect, it } from '@jest/globals';
import type { ModelMessage } from 'nestjs-palette';
import { assertTranscript, transcriptFaults, type TranscriptDialect } from '../../../lib/agent/transcript/index.js';
import { assistant, frozen, told, user } from './support/messages.js';

const DIALECTS: readonly TranscriptDialect[] = ['chat', 'responses', 'anthropic'];
const missing = (id: string): object => ({
  role: 'tool',
  toolCallId: id,
  toolName: 'look',
  isError: true,
  content: { code: 'tool_result_missing', message: expect.stringMatching(/may or may not have happened/) as unknown },
});
const made = expect.stringMatching(/^[a-f0-9]{9}$/) as unknown as string;

function named(name: string): ModelMessage[] {
  const [call, result] = [assistant('', 'a'), told('a', 1)];
  return [
    user('Go.'),
    { ...call, toolCalls: call.toolCalls.map((each) => ({ ...each, name })) },
    { ...result, toolName: name },
  ];
}

describe.each(DIALECTS)('assertTranscript for %s', (dialect) => {
  it.each<[string, ModelMessage[]]>([
    ['a question', [user('Go.')]],
    ['results in another order than their calls', [user('Go.'), assistant('', 'a', 'b'), told('b'), told('a')]],
    ['an answer at the end', [user('Go.'), assistant('Let me see.', 'a'), told('a', ''), assistant('Gone.')]],
    ['one who speaks twice', [user('One.'), user('Two.'), assistant('Yes.'), assistant('Yes!')]],
    ['an id with blanks and points', [user('Go.'), assistant('', 'functions.look:0 '), told('functions.look:0 ')]],
  ])('returns the same array where nothing is wrong: %s', (_, messages) => {
    expect(transcriptFaults(messages, dialect)).toEqual([]);
    expect(assertTranscript(frozen(messages), dialect)).toBe(messages);
  });

  it.each<[string, string, ModelMessage[], object[]]>([
    [
      'answers a call at the end',
      'call "a" is never answered',
      [user('Go.'), assistant('', 'a')],
      [user('Go.'), assistant('', 'a'), missing('a')],
    ],
    [
      'answers a call among others',
      'message 3 (user) comes before call "b", call "c" was answered',
      [user('Go.'), assistant('', 'a', 'b', 'c'), told('a'), user('Well?')],
      [user('Go.'), assistant('', 'a', 'b', 'c'), told('a'), missing('b'), missing('c'), user('Well?')],
    ],
    [
      'moves results behind their calls',
      'message 2 (user) comes before call "a", call "b" was answered',
      [user('Go.'), assistant('', 'a', 'b'), user('Well?'), told('b'), assistant('Yes.'), told('a')],
      [user('Go.'), assistant('', 'a', 'b'), told('a'), told('b'), user('Well?'), assistant('Yes.')],
    ],
    [
      'drops what answers no call',
      'message 1 (tool) answers "x", which no open call has',
      [user('Go.'), told('x'), assistant('Yes.')],
      [user('Go.'), assistant('Yes.')],
    ],
    [
      'drops a second result',
      'message 3 (tool) answers "a", which no open call has',
      [user('Go.'), assistant('', 'a'), told('a', 1), told('a', 2)],
      [user('Go.'), assistant('', 'a'), told('a', 1)],
    ],
    [
      'takes nothing for a result that came before the call',
      'message 1 (tool) answers "a"',
      [user('Go.'), told('a'), assistant('', 'a')],
      [user('Go.'), assistant('', 'a'), missing('a')],
    ],
    [
      'drops who says nothing',
      'message 2 (user) says nothing',
      [user('Go.'), assistant(' '), user('\n'), assistant('', 'a'), told('a')],
      [user('Go.'), assistant('', 'a'), told('a')],
    ],
    [
      'tells two calls of one id apart, on both sides',
      'message 1 (assistant) has two calls of one id: "a"',
      [user('Go.'), assistant('', 'a', 'a'), told('a', 1), told('a', 2)],
      [user('Go.'), assistant('', 'a', made), told('a', 1), { ...told('', 2), toolCallId: made }],
    ],
    [
      'gives an id to a call without one',
      'message 1 (assistant) has a call without an id',
      [user('Go.'), assistant('', ''), told('', 1)],
      [user('Go.'), assistant('', made), { ...told('', 1), toolCallId: made }],
    ],
  ])('%s', (_, fault, messages, repaired) => {
    expect(transcriptFaults(messages, dialect).join('; ')).toContain(fault);
    const result = assertTranscript(frozen(messages), dialect);
    expect(result).toEqual(repaired);
    expect(transcriptFaults(result, dialect)).toEqual([]);
  });

  it('gives a result to the newest open call of its id', () => {
    const messages = [user('One.'), assistant('', 'a'), user('Two.'), assistant('', 'a'), told('a', 'second')];
    const results = assertTranscript(messages, dialect).filter(({ role }) => role === 'tool');
    expect(results).toMatchObject([{ isError: true }, { content: 'second', isError: false }]);
  });

  it.each([
    ['weather<|channel|>final', 'weather__channel__final'],
    ['functions.look', 'functions_look'],
    ['ünter', '_nter'],
    ['n'.repeat(70), 'n'.repeat(64)],
    ['', 'unnamed_tool'],
  ])('rewrites a name that is refused when it goes back: %s', (name, fit) => {
    expect(transcriptFaults(named(name), dialect)).toHaveLength(1);
    expect(assertTranscript(named(name), dialect)).toEqual(named(fit));
  });

  it.each([
    ['the user', [user('Cut: \ud83d')], [user('Cut: \ufffd')]],
    ['the assistant', [user('Go.'), assistant('\ude42 cut')], [user('Go.'), assistant('\ufffd cut')]],
    [
      'a tool',
      [user('Go.'), assistant('', 'a'), told('a', { list: [{ '\ud83d': '\ud83d🙂' }] })],
      [user('Go.'), assistant('', 'a'), told('a', { list: [{ '\ufffd': '\ufffd🙂' }] })],
    ],
  ])('mends what was cut within an emoji, of %s', (_, cut, mended) => {
    expect(transcriptFaults(cut, dialect)).toEqual([
      expect.stringContaining('has a text with half of a surrogate pair'),
    ]);
    expect(assertTranscript(cut, dialect)).toEqual(mended);
  });

  it('mends arguments that were cut within an emoji', () => {
    const called = assistant('', 'a');
    const withArguments = (text: string): ModelMessage => ({
      ...called,
      toolCalls: called.toolCalls.map((call) => ({ ...call, arguments: { text } })),
    });
    expect(assertTranscript([user('Go.'), withArguments('\ud83d'), told('a')], dialect)).toEqual([
      user('Go.'),
      withArguments('\ufffd'),
      told('a'),
    ]);
  });

  it('takes one message object that stands twice for two messages', () => {
    const called = assistant('', 'a');
    const results = assertTranscript([user('1'), called, told('a', 1), called, told('a', 2), user('2')], dialect);
    expect(results.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([1, 2]);
    const open = assertTranscript([user('1'), called, user('2'), called, told('a', 2)], dialect);
    expect(open.flatMap((message) => (message.role === 'tool' ? [message.isError] : []))).toEqual([true, false]);
  });

  it('makes no id that another call has', () => {
    const [, first] = assertTranscript([user('Go.'), assistant('', '')], dialect);
    const id = first?.role === 'assistant' ? (first.toolCalls[0]?.id ?? '') : '';
    const repaired = assertTranscript([user('Go.'), assistant('', '', id), told('', 1), told(id, 2)], dialect);
    expect(repaired.slice(2)).toEqual([{ ...told('', 1), toolCallId: made }, told(id, 2)]);
    expect(repaired[1]).not.toMatchObject({ toolCalls: [{ id }, { id }] });
  });

  it('repairs a thousand messages of one id', () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => [
      user('Go.'),
      assistant('', '0', '0'),
      told('0', index),
    ]);
    const repaired = assertTranscript(messages.flat(), dialect);
    expect(transcriptFaults(repaired, dialect)).toEqual([]);
    expect(repaired).toHaveLength(4_000);
  });

  it('finds nothing to send where nobody says anything', () => {
    const messages = [told('a'), user(' '), assistant('')];
    expect(assertTranscript(messages, dialect)).toEqual([]);
    expect(transcriptFaults([], dialect)).toEqual(['there is no message']);
  });

  it('keeps what the provider wants back of a call that gets another id', () => {
    const providerState = { blocks: [{ type: 'tool_use', id: '' }], extras: { '': { signature: 's' } } };
    const [, message] = assertTranscript([user('Go.'), { ...assistant('', ''), providerState }], dialect);
    const id = message?.role === 'assistant' ? (message.toolCalls[0]?.id ?? '') : '';
    expect(id).toEqual(made);
    expect(message).toMatchObject({
      providerState: { blocks: [{ type: 'tool_use', id }], extras: { [id]: { signature: 's' } } },
    });
  });
});

describe('assertTranscript where dialects differ', () => {
  const twice = [user('1'), assistant('', 'a'), told('a'), user('2'), assistant('', 'a'), told('a')];

  it('lets an id come again in a later message of a chat completion only', () => {
    expect(assertTranscript(twice, 'chat')).toBe(twice);
    for (const dialect of ['responses', 'anthropic'] as const) {
      expect(transcriptFaults(twice, dialect)).toEqual([
        'message 4 (assistant) has a call of the id "a" as one before it',
      ]);
      expect(assertTranscript(twice, dialect)).toEqual([
        ...twice.slice(0, 4),
        assistant('', made),
        { ...told('a'), toolCallId: made },
      ]);
    }
  });

  it('shortens ids for responses only', () => {
    const long = 'call_'.padEnd(65, 'x');
    const messages = [user('Go.'), assistant('', long, long.slice(1)), told(long, 1), told(long.slice(1), 2)];
    expect(assertTranscript(messages, 'chat')).toBe(messages);
    expect(assertTranscript(messages, 'anthropic')).toBe(messages);
    expect(transcriptFaults(messages, 'responses')).toEqual([
      'message 1 (assistant) has a call whose id is longer than 64',
    ]);
    const repaired = assertTranscript(messages, 'responses');
    expect(repaired).toEqual([
      user('Go.'),
      assistant('', made, long.slice(1)),
      { ...told(long, 1), toolCallId: made },
      told(long.slice(1), 2),
    ]);
  });

  it('lets nobody speak before the user to Anthropic', () => {
    const messages = [assistant('Hello!', 'a'), user('Hi.'), told('a'), assistant('', 'a'), told('a', 'mine')];
    const repaired = assertTranscript(messages, 'anthropic');
    expect(repaired).toEqual([user('Hi.'), assistant('', 'a'), told('a', 'mine')]);
    expect(transcriptFaults([assistant('Hello!'), user('Hi.')], 'anthropic')).toEqual([
      'message 0 (assistant) comes before the user',
    ]);
    const greeting = [assistant('Hello!'), user('Hi.')];
    expect(assertTranscript(greeting, 'chat')).toBe(greeting);
    expect(assertTranscript([assistant('Hello!')], 'anthropic')).toEqual([]);
  });

  it('lets no error be without words before Anthropic', () => {
    const messages = [user('Go.'), assistant('', 'a', 'b'), told('a', ' ', true), told('b', '')];
    expect(assertTranscript(messages, 'responses')).toBe(messages);
    expect(transcriptFaults(messages, 'anthropic')).toEqual(['message 2 (tool) is an error without words']);
    const [, , repaired, untouched] = assertTranscript(messages, 'anthropic');
    expect(repaired).toMatchObject({ content: 'The tool failed and did not say why.', isError: true });
    expect(untouched).toEqual(told('b', ''));
  });
});
