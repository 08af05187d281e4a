import { describe, expect, it } from '@jest/globals';
import { assertTranscript, lastTurns, toMessages, withoutTools, type Handoff, type ModelMessage } from 'nestjs-palette';
import { counted, doneOf } from '../run/support/running.js';
import { cast, transfers, type Cast } from './support/cast.js';

type Filter = NonNullable<Handoff['filter']>;

const DIALECTS = ['chat', 'responses', 'anthropic'] as const;
const LOOK_UP = { text: 'Let me see.', toolCalls: [{ name: 'look_up', arguments: { id: 7 } }] };
const PARTING = { text: 'Billing will help.', toolCalls: [{ name: 'transfer_to_billing' }] };

/** Two turns: one that is answered, and one in which a tool is called and the conversation handed over. */
async function handedOver(filter: Filter | undefined, dialect: (typeof DIALECTS)[number] = 'chat'): Promise<Cast> {
  const to = { to: 'billing', ...(filter && { filter }) };
  const talk = cast({
    triage: { script: ['Hello.', LOOK_UP, PARTING], tools: [counted('look_up').tool], handoffs: [to] },
    billing: { script: ['It was paid.', 'Goodbye.'], handoffs: ['triage'] },
  });
  Object.assign(talk.model('billing'), { dialect });
  await talk.say('Hi');
  expect(doneOf(await talk.say('Was 7 paid?'))).toMatchObject({ agent: 'billing', answer: 'It was paid.' });
  return talk;
}

const shown = ({ model }: Cast, request = 0): readonly ModelMessage[] =>
  model('billing').requests[request]?.messages ?? [];
const brief = (messages: readonly ModelMessage[]): string[] =>
  messages.map((message) => {
    if (message.role === 'user') return `user: ${message.text}`;
    if (message.role === 'tool') return `result: ${message.toolName}`;
    return `assistant: ${[message.text, ...message.toolCalls.map(({ name }) => name)].filter(Boolean).join(' + ')}`;
  });

const ALL = [
  'user: Hi',
  'assistant: Hello.',
  'user: Was 7 paid?',
  'assistant: Let me see. + look_up',
  'result: look_up',
  'assistant: Billing will help. + transfer_to_billing',
  'result: transfer_to_billing',
];

describe('what the other agent is shown', () => {
  it('is everything, without a filter', async () => {
    expect(brief(shown(await handedOver(undefined)))).toEqual(ALL);
  });

  it('is what was said, and the question last, with `withoutTools`', async () => {
    expect(brief(shown(await handedOver(withoutTools)))).toEqual([
      'user: Hi',
      'assistant: Hello.',
      'assistant: Let me see.',
      'assistant: Billing will help.',
      'user: Was 7 paid?',
    ]);
  });

  it('is the newest turns, with `lastTurns`', async () => {
    expect(brief(shown(await handedOver((messages) => lastTurns(messages, 1))))).toEqual(ALL.slice(2));
  });

  it('is what it was in later runs, and what was said since', async () => {
    const talk = await handedOver((messages) => lastTurns(messages, 1));
    await talk.say('Thanks.');
    expect(brief(shown(talk, 1))).toEqual([...ALL.slice(2), 'assistant: It was paid.', 'user: Thanks.']);
  });

  it('stays filtered when the conversation is handed back, and the journal stays whole', async () => {
    const { say, model, store, conversation } = cast({
      triage: { script: [transfers('billing'), 'Back.'], handoffs: [{ to: 'billing', filter: () => [] }] },
      billing: { script: [transfers('triage')], handoffs: ['triage'] },
    });
    await say('Hi');
    expect(brief(model('billing').requests[0]?.messages ?? [])).toEqual(['user: Hi']);
    expect(brief(model('triage').requests[1]?.messages ?? [])).toEqual([
      'user: Hi',
      'assistant: transfer_to_triage',
      'result: transfer_to_triage',
    ]);
    expect(brief(toMessages(await store.read(conversation)))).toEqual([
      'user: Hi',
      'assistant: transfer_to_billing',
      'result: transfer_to_billing',
      'assistant: transfer_to_triage',
      'result: transfer_to_triage',
      'assistant: Back.',
    ]);
  });
});

describe('a filter cannot take away the question', () => {
  it.each<[string, Filter, string[]]>([
    ['everything', () => [], ['user: Was 7 paid?']],
    [
      'everything that users said',
      (messages) => messages.filter(({ role }) => role !== 'user'),
      ['assistant: Hello.', ...ALL.slice(2)],
    ],
    ['the newest turn', (messages) => messages.slice(0, 2), ['user: Hi', 'assistant: Hello.', 'user: Was 7 paid?']],
    ['only the question', (messages) => messages.filter((_, index) => index !== 2), ALL],
  ])('where it drops %s', async (_what, filter, expected) => {
    expect(brief(shown(await handedOver(filter)))).toEqual(expected);
  });

  it('but may say it in other words', async () => {
    const redacted: Filter = (messages) =>
      lastTurns(messages, 1).map((message) =>
        message.role === 'user' ? { ...message, text: 'Was it paid?' } : message,
      );
    expect(brief(shown(await handedOver(redacted)))).toEqual(['user: Was it paid?', ...ALL.slice(3)]);
  });
});

describe.each(DIALECTS)('whatever a filter does, the transcript is valid for %s', (dialect) => {
  const silenced: Filter = (messages) =>
    messages.map((each) => (each.role === 'assistant' ? { ...each, toolCalls: [] } : each));
  const drop =
    (isDropped: (message: ModelMessage) => boolean): Filter =>
    (messages) =>
      messages.filter((message) => !isDropped(message));

  it.each<[string, Filter, number | undefined]>([
    ['keeps everything', (messages) => messages, 2],
    ['drops everything', () => [], 0],
    ['drops every result', drop(({ role }) => role === 'tool'), 2],
    ['drops the result of the transfer', drop((each) => each.role === 'tool' && each.toolName !== 'look_up'), 2],
    ['drops every call', drop((each) => each.role === 'assistant' && each.toolCalls.length > 0), 0],
    ['drops calls and results', withoutTools, 0],
    ['turns it around', (messages) => [...messages].reverse(), undefined],
    ['drops the calls of what was said, and not their results', silenced, 0],
    ['says it twice', (messages) => [...messages, ...messages], 4],
    ['keeps the last only', (messages) => messages.slice(-1), 0],
  ])('where it %s', async (_what, filter, calls) => {
    const messages = shown(await handedOver(filter, dialect));
    expect(assertTranscript(messages, dialect)).toBe(messages);
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(
      calls ?? (dialect === 'anthropic' ? 0 : 2), // there, what comes before the first user is not sent
    );
    expect(brief(messages)).toContain('user: Was 7 paid?');
    expect(messages.at(-1)).not.toMatchObject({ role: 'assistant' });
  });

  it('and the model is told of a result that is gone', async () => {
    const messages = shown(await handedOver((all) => all.filter(({ role }) => role !== 'tool'), dialect));
    expect(messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { isError: true, content: { code: 'tool_result_missing' } },
      { isError: true, content: { code: 'tool_result_missing' } },
    ]);
  });
});

describe('a filter that throws', () => {
  it('ends the run with an error, and tells nobody what it was', async () => {
    const filter: Filter = () => {
      throw new Error('a secret');
    };
    const { say, model } = cast({
      triage: { script: [transfers('billing')], handoffs: [{ to: 'billing', filter }] },
      billing: {},
    });
    const events = await say('Hi');
    expect(events.at(-2)).toMatchObject({ type: 'error', code: 'agent_failed', agent: 'billing' });
    expect(JSON.stringify(events)).not.toContain('a secret');
    expect(model('billing').requests).toEqual([]);
  });
});
