import type { AssistantMessage, ModelMessage, ModelToolCall, ToolMessage } from '../model/index.js';
import { toolContent } from '../model/request/tool-content.js';
import { CallIds } from './call-ids.js';
import { DIALECTS, type DialectRules, type TranscriptDialect } from './dialects.js';
import { renamedCalls } from './renamed-calls.js';
import { missingResult } from './told-results.js';
import { transcriptFaults } from './transcript-faults.js';

const MAX_NAME_LENGTH = 64;
const NAMELESS = 'unnamed_tool';

/**
 * The messages as a provider of the dialect takes them: the same array where nothing is wrong with it, else a repaired copy.
 *
 * - A call without a result is answered with the error `tool_result_missing`; a result that stands elsewhere is moved behind its
 *   call, which is the newest one before it of that id that is not answered; one that has no such call is dropped.
 * - Who says nothing is left out.
 * - Ids that are blank, too long or used twice become others, on both sides and in the provider's state; a name that no tool can
 *   have loses the characters that are refused.
 * - Nobody's speech is invented. Where the user has to begin (`anthropic`), what was said before the first question is left out.
 *
 * The result is empty where nothing is left to say, and without faults otherwise.
 */
export function assertTranscript(messages: readonly ModelMessage[], dialect: TranscriptDialect): ModelMessage[] {
  if (transcriptFaults(messages, dialect).length === 0) return messages as ModelMessage[];
  const rules = DIALECTS[dialect];
  const said = spoken(messages, rules);
  const results = answered(said);
  const reserved = new Set(said.flatMap((message) => callsOf(message).map(({ id }) => id)));
  const newIds = (): CallIds => new CallIds(reserved, rules.maxIdLength);
  const ids = newIds();
  return said.flatMap((message): ModelMessage[] => {
    if (message.role === 'user') return [message];
    if (message.role === 'tool') return [];
    const repaired = renamedCalls(withNames(message), rules.idsAreUniqueIn === 'message' ? newIds() : ids);
    return [repaired, ...told(repaired, results.get(message) ?? [], rules)];
  });
}

/** Without those who say nothing, and without what may not come first. */
function spoken(messages: readonly ModelMessage[], { beginsWithUser }: DialectRules): readonly ModelMessage[] {
  const said = messages.filter((message) => {
    if (message.role === 'tool') return true;
    return message.text.trim() !== '' || callsOf(message).length > 0;
  });
  if (!beginsWithUser) return said;
  const first = said.findIndex(({ role }) => role === 'user');
  return first < 0 ? [] : said.slice(first);
}

type Answers = (ToolMessage | undefined)[];

/** The results of the calls of each message, in the order of its calls. */
function answered(messages: readonly ModelMessage[]): Map<ModelMessage, Answers> {
  const results = new Map<ModelMessage, Answers>();
  const open = new Map<string, { readonly answers: Answers; readonly indexes: number[] }[]>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const newest = open.get(message.toolCallId)?.findLast(({ indexes }) => indexes.length > 0);
      const index = newest?.indexes.shift();
      if (newest !== undefined && index !== undefined) newest.answers[index] = message;
      continue;
    }
    const answers: Answers = callsOf(message).map(() => undefined);
    results.set(message, answers);
    for (const id of new Set(callsOf(message).map((call) => call.id))) {
      const indexes = callsOf(message).flatMap((call, index) => (call.id === id ? [index] : []));
      open.set(id, [...(open.get(id) ?? []), { answers, indexes }]);
    }
  }
  return results;
}

/** The results as they follow their message. */
function told({ toolCalls }: AssistantMessage, answers: Answers, rules: DialectRules): ToolMessage[] {
  return toolCalls.map(({ id, name }, index) => {
    const answer = answers[index];
    if (answer === undefined) return { role: 'tool', toolCallId: id, toolName: name, ...missingResult() };
    const isWordless = rules.errorsHaveWords && answer.isError && toolContent(answer.content).trim() === '';
    const content = isWordless ? 'The tool failed and did not say why.' : answer.content;
    return { ...answer, toolCallId: id, toolName: name, content };
  });
}

function withNames(message: AssistantMessage): AssistantMessage {
  const toolCalls = message.toolCalls.map((call) => ({ ...call, name: toolName(call.name) }));
  return toolCalls.every(({ name }, index) => name === message.toolCalls[index]?.name)
    ? message
    : { ...message, toolCalls };
}

/** A model may call what is no tool by a name that is refused when it is sent back. */
function toolName(name: string): string {
  const fit = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return fit === '' ? NAMELESS : fit;
}

function callsOf(message: ModelMessage): readonly ModelToolCall[] {
  return message.role === 'assistant' ? message.toolCalls : [];
}
