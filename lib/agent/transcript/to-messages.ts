import { deepFreeze } from '../../common/index.js';
import type { AssistantMessageItem, JournalEntry, JournalToolCall, ToolResultItem } from '../../conversations/index.js';
import type { AssistantMessage, ModelMessage, ModelToolCall, ToolMessage } from '../model/index.js';
import { ToolArguments } from '../model/reply/tool-arguments.js';
import { CallIds } from './call-ids.js';
import { renamedCalls } from './renamed-calls.js';
import { UnansweredCalls } from './unanswered-calls.js';
import { withoutTools } from './without-tools.js';

export interface ToMessagesOptions {
  /** Whether calls and their results are told. False leaves what was said: see `withoutTools`. Default true. */
  readonly includeTools?: boolean | undefined;
}

/**
 * What a model sees of a journal, whatever its writer died of. The results of a message follow it in the order of its calls,
 * wherever they stand in the journal; a call without one is answered with an error that says what is known. What a user said is told
 * where a run took it up. Approvals, handoffs and the ends of runs are nobody's speech. Ids of calls are unique in the whole.
 */
export function toMessages(entries: readonly JournalEntry[], options: ToMessagesOptions = {}): ModelMessage[] {
  const results = resultsOf(entries);
  const unanswered = new UnansweredCalls(entries);
  const ids = new CallIds(providerIds(entries));
  const messages = entries.flatMap(({ item }): ModelMessage[] => {
    if (item.type === 'user_message') return [{ role: 'user', text: item.text }];
    if (item.type !== 'assistant_message' || !saysAnything(item)) return [];
    const message = renamedCalls(assistantMessage(item), ids);
    return [
      message,
      ...item.toolCalls.map((call, index): ToolMessage => {
        const { isError, content } = results.get(call.callId) ?? unanswered.resultOf(call, item);
        const toolCallId = message.toolCalls[index]?.id ?? call.toolCallId;
        return { role: 'tool', toolCallId, toolName: call.name, content, isError };
      }),
    ];
  });
  return options.includeTools === false ? withoutTools(messages) : messages;
}

/** By the ledger's id, which is unique where the provider's is not. */
function resultsOf(entries: readonly JournalEntry[]): Map<string, ToolResultItem> {
  const results = new Map<string, ToolResultItem>();
  for (const { item } of entries) {
    if (item.type === 'tool_result' && !results.has(item.callId)) results.set(item.callId, item);
  }
  return results;
}

function providerIds(entries: readonly JournalEntry[]): Set<string> {
  const ids = new Set<string>();
  for (const { item } of entries) {
    if (item.type === 'assistant_message') for (const { toolCallId } of item.toolCalls) ids.add(toolCallId);
  }
  return ids;
}

function saysAnything({ text, toolCalls }: AssistantMessageItem): boolean {
  return text.trim() !== '' || toolCalls.length > 0;
}

function assistantMessage({ text, toolCalls, providerState }: AssistantMessageItem): AssistantMessage {
  return {
    role: 'assistant',
    text,
    toolCalls: toolCalls.map(toolCall),
    ...(providerState !== undefined && { providerState }),
  };
}

/** Entries are frozen, and shown again with each step: what they mean is read once. */
const READ = new WeakMap<JournalToolCall, ModelToolCall>();

function toolCall(call: JournalToolCall): ModelToolCall {
  const read = READ.get(call) ?? readCall(call);
  if (Object.isFrozen(call)) READ.set(call, read);
  return read;
}

function readCall({ toolCallId, name, arguments: text, fault }: JournalToolCall): ModelToolCall {
  if (fault !== undefined) return { id: toolCallId, name, arguments: {}, fault };
  const args = new ToolArguments();
  args.add(text);
  return deepFreeze({ id: toolCallId, name, ...args.read() });
}
