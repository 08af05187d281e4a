import { toMessages, type AgentStore, type ModelMessage } from 'nestjs-palette';
import type { JournalEntry } from '../../../../lib/conversations/index.js';
import { DIALECTS } from '../../../../lib/agent/transcript/dialects.js';
import { transcriptFaults } from '../../../../lib/agent/transcript/transcript-faults.js';
import type { TranscriptDialect } from 'nestjs-palette';

const ALL = Object.keys(DIALECTS) as TranscriptDialect[];

/** What every dialect would refuse about messages, each fault with its dialect. */
export function faultsOf(messages: readonly ModelMessage[]): string[] {
  return ALL.flatMap((dialect) => transcriptFaults(messages, dialect).map((fault) => `${dialect}: ${fault}`));
}

/** What is wrong with a journal: with the transcript that it makes, and with calls of runs that ended without results. */
export function journalFaults(entries: readonly JournalEntry[]): string[] {
  const messages = toMessages(entries);
  return [...(entries.length === 0 ? [] : faultsOf(messages)), ...unansweredCalls(entries)];
}

/** The ids of calls of ended runs that have no result of their own, or two. */
function unansweredCalls(entries: readonly JournalEntry[]): string[] {
  const items = entries.map(({ item }) => item);
  const results = items.flatMap((item) => (item.type === 'tool_result' ? item.callId : []));
  const ended = new Set(items.flatMap((item) => (item.type === 'run_ended' ? item.runId : [])));
  return items.flatMap((item) => {
    if (item.type !== 'assistant_message' || !ended.has(item.runId)) return [];
    const counts = item.toolCalls.map(({ callId }) => [callId, results.filter((id) => id === callId).length] as const);
    return counts.filter(([, count]) => count !== 1).map(([callId, count]) => `${callId} has ${count} results`);
  });
}

/** The kinds of a conversation's entries, in order. */
export async function itemsOf(store: AgentStore, conversation = 'c-1'): Promise<string[]> {
  return (await store.read(conversation)).map(({ item }) => item.type);
}

/** Every call that was proposed in the conversation: its state, by the id that the model knows. */
export async function statesOf(store: AgentStore, conversation = 'c-1'): Promise<Record<string, string>> {
  return Object.fromEntries((await store.calls(conversation)).map(({ toolCallId, state }) => [toolCallId, state]));
}
