import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ModelMessage, ToolMessage } from 'nestjs-palette';
import { anthropicMessages } from '../../../lib/agent/model/anthropic/anthropic-messages.js';
import { ArgumentNames } from '../../../lib/agent/model/anthropic/anthropic-names.js';
import { resolvedQuirks } from '../../../lib/agent/model/chat-completions/chat-completions-quirks.js';
import { chatMessages } from '../../../lib/agent/model/chat-completions/chat-messages.js';
import {
  assertTranscript,
  lastTurns,
  toMessages,
  transcriptFaults,
  trimMessages,
  withoutTools,
  type TranscriptDialect,
} from '../../../lib/agent/transcript/index.js';
import type { JournalEntry } from '../../../lib/conversations/index.js';
import { frozen, userTexts } from './support/messages.js';
import { randomJournals } from './support/random-journals.js';
import { randomMessages } from './support/random-messages.js';
import { anthropicFaults, bodyFaults, chatFaults } from './support/wire-rules.js';

const DIALECTS: readonly TranscriptDialect[] = ['chat', 'responses', 'anthropic'];
const RUNS = { numRuns: 500 };

/** What is said, however its calls are named. */
const words = (messages: readonly ModelMessage[], role: 'user' | 'assistant'): string[] =>
  messages.flatMap((message) =>
    message.role === role && message.text.trim() !== '' ? [message.text.toWellFormed()] : [],
  );

/** The ledger's id that a call of `randomJournals` says, and the result that follows it. */
function answeredCalls(messages: readonly ModelMessage[]): { call: unknown; fault: unknown; result: ToolMessage }[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant') return [];
    return message.toolCalls.map(({ arguments: args, fault, id }, place) => {
      const result = messages[index + 1 + place];
      if (result?.role !== 'tool' || result.toolCallId !== id)
        throw new Error(`call ${id} is not answered in its place`);
      return { call: args['call'], fault, result };
    });
  });
}

const itemsOf = <Type extends JournalEntry['item']['type']>(
  entries: readonly JournalEntry[],
  type: Type,
): Extract<JournalEntry['item'], { type: Type }>[] =>
  entries.flatMap(({ item }) => (item.type === type ? [item as Extract<JournalEntry['item'], { type: Type }>] : []));

describe('any journal, cut anywhere,', () => {
  it.each(DIALECTS)('becomes a transcript that %s takes', (dialect) => {
    fc.assert(
      fc.property(randomJournals, (entries) => {
        const messages = toMessages(frozen(entries));
        const valid = assertTranscript(frozen(messages), dialect);
        // A cut may leave nothing that anybody said.
        if (words(messages, 'user').length > 0) expect(transcriptFaults(valid, dialect)).toEqual([]);
        expect(assertTranscript(valid, dialect)).toEqual(valid);
        expect(userTexts(valid)).toEqual(itemsOf(entries, 'user_message').map(({ text }) => text));
        expect(words(valid, 'assistant')).toEqual(
          itemsOf(entries, 'assistant_message').flatMap(({ text }) =>
            text.trim() === '' ? [] : [text.toWellFormed()],
          ),
        );
      }),
      RUNS,
    );
  });

  it('answers each call once, with its own result where there is one', () => {
    fc.assert(
      fc.property(randomJournals, (entries) => {
        const results = new Map(itemsOf(entries, 'tool_result').map((item) => [item.callId, item]));
        const calls = itemsOf(entries, 'assistant_message').flatMap(({ toolCalls }) => toolCalls);
        const messages = toMessages(entries);
        const answered = answeredCalls(messages);
        expect(answered.map(({ call, fault }) => call ?? fault)).toEqual(
          calls.map(({ callId, fault }) => fault ?? callId),
        );
        expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(calls.length);
        expect(new Set(answered.map(({ result }) => result.toolCallId)).size).toBe(calls.length);
        answered.forEach(({ result }, index) => {
          const kept = results.get(calls[index]?.callId ?? '');
          if (kept === undefined)
            expect(result).toMatchObject({ isError: true, content: { code: expect.any(String) } });
          else expect(result).toMatchObject({ isError: kept.isError, content: kept.content });
        });
      }),
      RUNS,
    );
  });

  it('is told as it was told before, once everything before was answered', () => {
    fc.assert(
      fc.property(randomJournals, fc.nat({ max: 40 }), (entries, place) => {
        const before = entries.slice(0, place);
        const results = new Set(itemsOf(before, 'tool_result').map(({ callId }) => callId));
        const calls = itemsOf(before, 'assistant_message').flatMap(({ toolCalls }) => toolCalls);
        fc.pre(calls.every(({ callId }) => results.has(callId)));
        const told = toMessages(before);
        expect(toMessages(entries).slice(0, told.length)).toEqual(told);
      }),
      { numRuns: 300 },
    );
  });

  it.each(DIALECTS)('stays valid for %s whatever is trimmed or filtered', (dialect) => {
    const limit = fc.option(fc.nat({ max: 12 }), { nil: undefined });
    fc.assert(
      fc.property(randomJournals, limit, limit, (entries, turns, tokens) => {
        const messages = assertTranscript(toMessages(entries), dialect);
        fc.pre(messages.length > 0 && messages[0]?.role === 'user');
        const trimmed = trimMessages(frozen(messages), { turns, tokens, countTokens: () => 1 });
        for (const some of [trimmed, lastTurns(messages, turns ?? 1), withoutTools(messages)]) {
          expect(transcriptFaults(some, dialect)).toEqual([]);
          expect(userTexts(some).at(-1)).toBe(userTexts(messages).at(-1));
          expect(some.filter(({ role }) => role === 'tool').length).toBeLessThanOrEqual(messages.length);
        }
        expect(messages.filter((message) => trimmed.includes(message))).toEqual(trimmed);
        const callers = trimmed.filter((message) => message.role === 'assistant' && message.toolCalls.length > 0);
        const isWithin = trimmed.length <= (tokens ?? Infinity);
        expect(isWithin || (userTexts(trimmed).length === 1 && callers.length <= 1)).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('what is sent of any journal, cut anywhere,', () => {
  it.each([{}, { emptyContent: 'empty' as const }, { emptyContent: 'omit' as const }, { resendReasoning: true }])(
    'keeps the rules of chat completions: %j',
    (quirks) => {
      fc.assert(
        fc.property(randomJournals, (entries) => {
          const messages = assertTranscript(toMessages(entries), 'chat');
          const sent = chatMessages({ system: 'Be kind.', messages, tools: [] }, resolvedQuirks(quirks));
          expect([...chatFaults(sent), ...bodyFaults(sent)]).toEqual([]);
          expect(sent).toHaveLength(messages.length + 1);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('keeps the rules of Anthropic', () => {
    fc.assert(
      fc.property(randomJournals, (entries) => {
        const messages = assertTranscript(toMessages(entries), 'anthropic');
        fc.pre(messages.length > 0);
        const sent = anthropicMessages(messages, new ArgumentNames([]));
        expect([...anthropicFaults(sent), ...bodyFaults(sent)]).toEqual([]);
      }),
      RUNS,
    );
  });

  it('keeps signatures with the calls that they are about', () => {
    fc.assert(
      fc.property(randomJournals, (entries) => {
        const messages = assertTranscript(toMessages(entries), 'chat');
        for (const message of chatMessages({ messages, tools: [] }, resolvedQuirks({}))) {
          const calls = (message['tool_calls'] ?? []) as { id: string; extra_content?: unknown }[];
          const isSigned = calls.some(({ extra_content: extra }) => extra !== undefined);
          // Of two calls that had one id, only the first can be told to have signed.
          if (isSigned) expect(calls[0]).toMatchObject({ extra_content: { signature: 's' } });
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('any messages at all', () => {
  it.each(DIALECTS)('are repaired to what %s takes', (dialect) => {
    fc.assert(
      fc.property(randomMessages, (messages) => {
        const valid = assertTranscript(frozen(messages), dialect);
        if (valid.length > 0) expect(transcriptFaults(valid, dialect)).toEqual([]);
        expect(assertTranscript(valid, dialect)).toEqual(valid);
        expect(words(valid, 'user')).toEqual(words(messages, 'user'));
        if (dialect !== 'anthropic') expect(words(valid, 'assistant')).toEqual(words(messages, 'assistant'));
        if (transcriptFaults(messages, dialect).length === 0) expect(valid).toBe(messages);
        expect(() => answeredCalls(valid.filter(() => valid !== messages))).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  it('are sent by the rules of each provider', () => {
    fc.assert(
      fc.property(randomMessages, (messages) => {
        const chat = chatMessages({ messages: assertTranscript(messages, 'chat'), tools: [] }, resolvedQuirks({}));
        expect([...chatFaults(chat), ...bodyFaults(chat)]).toEqual([]);
        const anthropic = anthropicMessages(assertTranscript(messages, 'anthropic'), new ArgumentNames([]));
        if (anthropic.length > 0) expect([...anthropicFaults(anthropic), ...bodyFaults(anthropic)]).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
