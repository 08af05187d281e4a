import { randomUUID } from 'node:crypto';
import { principalSnapshot, type Principal } from '../../common/index.js';
import {
  ConversationError,
  type JournalItem,
  type QueuedMessageItem,
  type RunStartedItem,
} from '../../conversations/index.js';
import { AgentError } from '../agent-error.js';
import type { AgentRun } from './agent-run.js';
import type { RunJournal } from './run-journal.js';
import type { ResolvedRun } from './run-options.js';

export interface Beginning {
  readonly fence: number;
  /** The span of the beginning; undefined where nobody traces. */
  readonly trace: RunStartedItem['trace'];
}

/**
 * Brings the conversation to an open run: the one that is open, or a new one for the message, the next queued one, or the messages
 * that the application keeps.
 * @throws ConversationError `conversation_busy`; AgentError `agent_message_missing`; RunLost
 */
export async function beginRun(
  resolved: ResolvedRun,
  journal: RunJournal,
  run: AgentRun,
  beginning: Beginning,
): Promise<void> {
  const { message, messages, onOpenRun, context } = resolved;
  if (journal.state.run !== undefined && message !== undefined) {
    if (onOpenRun === 'reject') throw new ConversationError('conversation_busy');
    if (onOpenRun === 'queue')
      return void (await journal.queue([queuedItem(message, context.principal)], randomUUID()));
    await ended(run.close({ outcome: 'cancelled', as: 'superseded' }));
  }
  if (journal.state.run !== undefined) return;
  const start = (principal: Principal, ...said: readonly Said[]): Promise<unknown> =>
    startRun(resolved, journal, { ...beginning, principal, said });
  const [queued] = journal.state.queued;
  if (message !== undefined) await start(context.principal, { text: message });
  else if (messages !== undefined) await start(context.principal);
  else if (queued !== undefined) await start(queued.principal, { text: queued.text, queuedSeq: queued.seq });
  else throw new AgentError('agent_message_missing');
}

/** What is said while another message is being answered. */
export function queuedItem(text: string, principal: Principal): QueuedMessageItem {
  return { type: 'queued_message', text, principal: principalSnapshot(principal) };
}

interface Said {
  readonly text: string;
  readonly queuedSeq?: number;
}

async function startRun(
  { context, agent }: ResolvedRun,
  journal: RunJournal,
  { fence, trace, principal, said }: Beginning & { readonly principal: Principal; readonly said: readonly Said[] },
): Promise<void> {
  const runId = randomUUID();
  const { nextAgent } = journal.state;
  const name = nextAgent !== undefined && context.graph.agent(nextAgent) !== undefined ? nextAgent : agent.name;
  const started: JournalItem = {
    type: 'run_started',
    runId,
    agent: name,
    principal: principalSnapshot(principal),
    ...(trace && { trace }),
  };
  const messages = said.map((each): JournalItem => ({ type: 'user_message', runId, ...each }));
  await journal.append([started, ...messages], `${runId}/start`, fence);
}

/** The events of a run that is given up are for whoever reads the journal, not for whoever gave it up. */
async function ended(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}
