import { ERROR_CODES, errorMessage, type ErrorCode } from '../../common/index.js';
import type { AssistantMessageItem, JournalEntry, JournalItem, RunEndedItem } from '../../conversations/index.js';
import type { AgentEvent } from './agent-event.js';
import { NO_USAGE, type OpenRun } from './run-state.js';

type Told = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, 'seq' | 'at' | 'runId' | 'agent' | 'step'>
    : never
  : never;

/**
 * The events that one entry of the journal stands for: the same for whoever runs the run, and for whoever reads it later.
 *
 * @param run the open run before the entry
 */
export function eventsOf({ seq, at, item }: JournalEntry, run: OpenRun | undefined): AgentEvent[] {
  const told = toldBy(item, run);
  if (told.length === 0) return [];
  const place = {
    seq,
    at,
    runId: 'runId' in item ? item.runId : (run?.runId ?? ''),
    agent: 'agent' in item ? item.agent : (run?.agent ?? ''),
    step: 'step' in item ? item.step : (run?.step ?? 0),
  };
  // Nobody else has what was just told.
  return told.map((event) => Object.assign(event, place) as AgentEvent);
}

function toldBy(item: JournalItem, run: OpenRun | undefined): Told[] {
  switch (item.type) {
    case 'assistant_message':
      return assistantEvents(item);
    case 'tool_result': {
      const { callId, toolCallId, toolName, isError, content } = item;
      return [{ type: 'tool_result', callId, toolCallId, toolName, isError, content }];
    }
    case 'approval_request': {
      const { callId, approvalId, toolName, reason, expiresAt } = item;
      return [{ type: 'approval_request', callId, approvalId, toolName, reason, expiresAt }];
    }
    case 'approval_decision': {
      const { callId, approvalId, outcome, by, comment, isEdited } = item;
      return [{ type: 'approval_decision', callId, approvalId, outcome, by, comment, isEdited }];
    }
    case 'handoff':
      return [{ type: 'handoff', from: item.from, to: item.to, callId: item.callId }];
    case 'run_ended':
      return endEvents(item, run);
    default:
      return [];
  }
}

function assistantEvents({ text, toolCalls, finishReason, refusal, usage }: AssistantMessageItem): Told[] {
  const said: Told[] = text === '' ? [] : [{ type: 'message', text, finishReason, refusal, usage }];
  const calls = toolCalls.map(({ callId, toolCallId, name, arguments: text }): Told => ({
    type: 'tool_call',
    callId,
    toolCallId,
    toolName: name,
    arguments: JSON.parse(text) as Readonly<Record<string, unknown>>,
  }));
  return [...said, ...calls];
}

function endEvents({ outcome, code, message }: RunEndedItem, run: OpenRun | undefined): Told[] {
  const usage = run?.usage ?? NO_USAGE;
  const answer = outcome === 'completed' ? run?.lastText : undefined;
  const done: Told = { type: 'done', outcome, usage, answer, pendingApprovals: [] };
  return code === undefined ? [done] : [errorOf(code, message), done];
}

function errorOf(code: string, message = errorMessage('agent_failed')): Told {
  // A later version may have codes that this one does not know.
  const retryable = Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as ErrorCode].retryable;
  return { type: 'error', code, message, retryable };
}
