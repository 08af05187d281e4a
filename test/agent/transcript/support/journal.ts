import type { Principal } from 'nestjs-palette';
import type { JournalEntry, JournalItem, JournalToolCall } from '../../../../lib/conversations/index.js';

export const ada: Principal = { subject: 'ada' };

/** The entries of a conversation, numbered from 1. */
export function journal(...items: readonly JournalItem[]): JournalEntry[] {
  return items.map((item, index) => ({ conversationId: 'c1', seq: index + 1, at: index, schemaVersion: 1, item }));
}

export const runStarted = (runId = 'r1'): JournalItem => ({
  type: 'run_started',
  runId,
  agent: 'main',
  principal: ada,
});

export const runEnded = (runId = 'r1'): JournalItem => ({
  type: 'run_ended',
  runId,
  outcome: 'completed',
  agent: 'main',
});

export const asked = (text: string, runId = 'r1'): JournalItem => ({ type: 'user_message', runId, text });

export function replied(
  text: string,
  toolCalls: readonly JournalToolCall[] = [],
  more: { runId?: string; finishReason?: string; providerState?: unknown; refusal?: string } = {},
): JournalItem {
  return {
    type: 'assistant_message',
    runId: 'r1',
    step: 1,
    agent: 'main',
    text,
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    model: 'm',
    usage: {},
    ...more,
  };
}

/** `callId` is the ledger's; the provider's is `toolCallId`, by default the same. */
export function call(callId: string, more: Partial<JournalToolCall> = {}): JournalToolCall {
  return { callId, toolCallId: callId, name: 'look', arguments: '{}', ...more };
}

export function result(
  callId: string,
  content: unknown,
  more: { toolCallId?: string; runId?: string } = {},
): JournalItem {
  return {
    type: 'tool_result',
    runId: 'r1',
    step: 1,
    agent: 'main',
    callId,
    toolCallId: callId,
    toolName: 'look',
    isError: false,
    content,
    ...more,
  };
}

export const requested = (callId: string, runId = 'r1'): JournalItem => ({
  type: 'approval_request',
  runId,
  callId,
  approvalId: `a-${callId}`,
  toolName: 'look',
  reason: 'why',
  expiresAt: 1,
});

export function decided(
  callId: string,
  outcome: 'approved' | 'denied' | 'expired' | 'superseded' | 'cancelled',
  comment?: string,
): JournalItem {
  return {
    type: 'approval_decision',
    runId: 'r1',
    callId,
    approvalId: `a-${callId}`,
    outcome,
    isEdited: false,
    ...(comment !== undefined && { comment }),
  };
}

export const handedOff = (callId: string, runId = 'r1'): JournalItem => ({
  type: 'handoff',
  runId,
  step: 1,
  from: 'main',
  to: 'other',
  callId,
});
