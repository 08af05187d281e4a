import type { Principal } from '../common/index.js';

/** The version that this library writes. A reader takes every version up to it and refuses a later one. */
export const JOURNAL_SCHEMA_VERSION = 1;

/** What happened, in the order in which it did. Items are JSON and are never changed. */
export type JournalItem =
  | RunStartedItem
  | UserMessageItem
  | QueuedMessageItem
  | AssistantMessageItem
  | ToolResultItem
  | ApprovalRequestItem
  | ApprovalDecisionItem
  | HandoffItem
  | RunEndedItem;

/** An entry of a conversation: an item and what the store adds to it. */
export interface JournalEntry {
  readonly conversationId: string;
  /** From 1, without gaps. */
  readonly seq: number;
  /** The store's time of writing, in milliseconds since the epoch. */
  readonly at: number;
  readonly schemaVersion: number;
  readonly item: JournalItem;
}

/** One turn begins: it lasts until `run_ended`, over crashes and replicas. */
export interface RunStartedItem {
  readonly type: 'run_started';
  readonly runId: string;
  /** The agent that the run begins with. */
  readonly agent: string;
  readonly principal: Principal;
  /** The span of its beginning, for the spans that go on with it. */
  readonly trace?: { readonly traceId: string; readonly spanId: string; readonly traceFlags: number } | undefined;
}

export interface UserMessageItem {
  readonly type: 'user_message';
  readonly runId: string;
  readonly text: string;
  /** The `seq` of the `queued_message` that this was. */
  readonly queuedSeq?: number | undefined;
}

/** Said while a run was busy or waiting; nobody's speech until a run takes it up. */
export interface QueuedMessageItem {
  readonly type: 'queued_message';
  readonly text: string;
  readonly principal: Principal;
}

/** One reply of the model. Never without text and calls. */
export interface AssistantMessageItem {
  readonly type: 'assistant_message';
  readonly runId: string;
  /** From 1 in each run. */
  readonly step: number;
  readonly agent: string;
  readonly text: string;
  readonly toolCalls: readonly JournalToolCall[];
  readonly finishReason: string;
  readonly model: string;
  readonly usage: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
  readonly refusal?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly providerState?: unknown;
}

export interface JournalToolCall {
  /** The ledger's id of the call: unique in the conversation. */
  readonly callId: string;
  /** The id that model and provider know; unique in its message only. */
  readonly toolCallId: string;
  readonly name: string;
  /** One JSON object as text, byte for byte as it will be read again. */
  readonly arguments: string;
  readonly fault?: 'not_json' | 'not_an_object' | 'too_deep' | undefined;
}

export interface ToolResultItem {
  readonly type: 'tool_result';
  readonly runId: string;
  readonly step: number;
  readonly agent: string;
  readonly callId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
  readonly content: unknown;
}

export interface ApprovalRequestItem {
  readonly type: 'approval_request';
  readonly runId: string;
  readonly callId: string;
  readonly approvalId: string;
  readonly toolName: string;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Written by whoever settles the approval, in the transaction that settles it. */
export interface ApprovalDecisionItem {
  readonly type: 'approval_decision';
  readonly runId: string;
  readonly callId: string;
  readonly approvalId: string;
  readonly outcome: 'approved' | 'denied' | 'expired' | 'superseded' | 'cancelled';
  /** Undefined where nobody decided: expiry. */
  readonly by?: Principal | undefined;
  readonly comment?: string | undefined;
  /** Whether a person changed the arguments. */
  readonly isEdited: boolean;
}

export interface HandoffItem {
  readonly type: 'handoff';
  readonly runId: string;
  readonly step: number;
  readonly from: string;
  readonly to: string;
  readonly callId: string;
}

export interface RunEndedItem {
  readonly type: 'run_ended';
  readonly runId: string;
  readonly outcome: 'completed' | 'max_steps' | 'budget_exceeded' | 'failed' | 'cancelled';
  /** The agent that the next run begins with. */
  readonly agent: string;
  /** The error code of `failed` and `budget_exceeded`. */
  readonly code?: string | undefined;
  /** What the error says. */
  readonly message?: string | undefined;
}
