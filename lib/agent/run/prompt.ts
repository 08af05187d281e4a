import type { JournalEntry } from '../../conversations/index.js';
import type { Agent, AgentContext } from '../definition/agent.js';
import type { AgentGraph } from '../definition/agent-graph.js';
import type { ModelMessage } from '../model/index.js';
import { assertTranscript, toMessages, trimMessages } from '../transcript/index.js';
import { handedMessages } from './handed-messages.js';

/**
 * What `agent` is shown of a conversation: what was said before it, filtered by the handoffs on the way, trimmed to its history, and
 * valid for its model.
 *
 * @param given what was said before the journal began, where the application keeps the conversation itself
 */
export function promptOf(
  agent: Agent,
  graph: AgentGraph,
  given: readonly ModelMessage[],
  entries: readonly JournalEntry[],
): readonly ModelMessage[] {
  const shown = shownMessages(graph, given, entries);
  const dialect = agent.model.dialect ?? 'chat';
  const valid = assertTranscript(shown, dialect);
  return agent.history === undefined ? valid : trimMessages(valid, agent.history);
}

/** The system prompt, with the grammar that a palette tells beside its tools. */
export async function systemOf({ system, palette }: Agent, context: AgentContext): Promise<string | undefined> {
  const own = typeof system === 'function' ? await system(context) : system;
  const grammar = palette?.filterGrammar;
  const parts = [own, grammar && `${grammar.text}\n${JSON.stringify(grammar.schema)}`].filter((part) => part);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function shownMessages(
  graph: AgentGraph,
  given: readonly ModelMessage[],
  entries: readonly JournalEntry[],
): readonly ModelMessage[] {
  const filtered = entries.some(({ item }) => item.type === 'handoff' && graph.handoff(item.from, item.to)?.filter);
  if (!filtered) return [...given, ...toMessages(entries)];
  let shown: readonly ModelMessage[] = given;
  let since = 0;
  entries.forEach(({ item }, index) => {
    if (item.type !== 'handoff') return;
    shown = [...shown, ...toMessages(entries.slice(since, index + 1))];
    since = index + 1;
    const filter = graph.handoff(item.from, item.to)?.filter;
    if (filter !== undefined) shown = handedMessages(filter(shown), shown);
  });
  return [...shown, ...toMessages(entries.slice(since))];
}
