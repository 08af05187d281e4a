import type { AssistantMessage, ModelMessage, ModelToolCall, ToolMessage } from '../model/index.js';
import { toolContent } from '../model/request/tool-content.js';
import { CallIds } from './call-ids.js';
import { DIALECTS, type DialectRules, type TranscriptDialect } from './dialects.js';
import { renamedCalls } from './renamed-calls.js';
import { missingResult } from './told-results.js';
import { transcriptFaults } from './transcript-faults.js';
import { wellFormed } from './well-formed.js';

const MAX_NAME_LENGTH = 64;
const NAMELESS = 'unnamed_tool';

/**
 * The messages as a provider of the dialect takes them: the same array where nothing is wrong with it, else a repaired copy.
 *
 * - A call without a result is answered with the error `tool_result_missing`; a result that stands elsewhere is moved behind its
 *   call, which is the newest one before it of that id that is not answered; one that has no such call is dropped.
 * - Who says nothing is left out.
 * - Ids that are blank, too long or used twice become others, on both sides and in the provider's state; a name that no tool can
 *   have loses the characters that are refused. U+FFFD stands where a text has half of a surrogate pair.
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
  return said.flatMap((message, index): ModelMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') return [{ ...message, text: wellFormed(message.text) }];
    const repaired = renamedCalls(legible(message), rules.idsAreUniqueIn === 'message' ? newIds() : ids);
    return [repaired, ...told(repaired, results[index] ?? [], rules)];
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

/** Message by message the results of its calls, in their order. */
function answered(messages: readonly ModelMessage[]): Answers[] {
  const results = messages.map((message): Answers => callsOf(message).map(() => undefined));
  const open = new Map<string, OpenCall[]>();
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      const call = open.get(message.toolCallId)?.pop();
      if (call !== undefined) call.answers[call.index] = message;
      return;
    }
    // Backwards: of two calls of one id in a message, the first is answered first.
    [...callsOf(message).entries()].reverse().forEach(([index, { id }]) => {
      const calls = open.get(id) ?? [];
      calls.push({ answers: results[at] ?? [], index });
      open.set(id, calls);
    });
  });
  return results;
}

interface OpenCall {
  readonly answers: Answers;
  readonly index: number;
}

/** The results as they follow their message. */
function told({ toolCalls }: AssistantMessage, answers: Answers, rules: DialectRules): ToolMessage[] {
  return toolCalls.map(({ id, name }, index) => {
    const answer = answers[index];
    if (answer === undefined) return { role: 'tool', toolCallId: id, toolName: name, ...missingResult() };
    const isWordless = rules.errorsHaveWords && answer.isError && toolContent(answer.content).trim() === '';
    const content = isWordless ? 'The tool failed and did not say why.' : wellFormed(answer.content);
    return { ...answer, toolCallId: id, toolName: name, content };
  });
}

function legible(message: AssistantMessage): AssistantMessage {
  const text = wellFormed(message.text);
  const toolCalls = message.toolCalls.map((call) => {
    const name = toolName(call.name);
    const args = wellFormed(call.arguments);
    return name === call.name && args === call.arguments ? call : { ...call, name, arguments: args };
  });
  const isLegible = text === message.text && toolCalls.every((call, index) => call === message.toolCalls[index]);
  return isLegible ? message : { ...message, text, toolCalls };
}

/** A model may call what is no tool by a name that is refused when it is sent back. */
function toolName(name: string): string {
  const fit = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH);
  return fit === '' ? NAMELESS : fit;
}

function callsOf(message: ModelMessage): readonly ModelToolCall[] {
  return message.role === 'assistant' ? message.toolCalls : [];
}
