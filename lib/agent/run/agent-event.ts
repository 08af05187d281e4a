import type { Principal } from '../../common/index.js';
import type { ApprovalDecisionItem, RunEndedItem } from '../../conversations/index.js';
import type { ModelUsage } from '../model/index.js';
import type { RunUsage } from './run-state.js';

interface EventBase {
  /** Of the journal entry that tells it; of the last one before it where none does: `message_delta`, `done` of a run that waits. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
  readonly agent: string;
  /** From 1 in each run; 0 before the first. */
  readonly step: number;
}

/** A piece of what the model says, while it says it. Not stored: `message` tells the whole. */
export interface MessageDeltaEvent extends EventBase {
  readonly type: 'message_delta';
  readonly text: string;
}

export interface ToolCallEvent extends EventBase {
  readonly type: 'tool_call';
  readonly callId: string;
  /** The id that the model knows the call by. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface ApprovalRequestEvent extends EventBase {
  readonly type: 'approval_request';
  readonly callId: string;
  readonly approvalId: string;
  readonly toolName: string;
  readonly reason: string;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly expiresAt: number;
}

export interface ApprovalDecisionEvent extends EventBase {
  readonly type: 'approval_decision';
  readonly callId: string;
  readonly approvalId: string;
  readonly outcome: ApprovalDecisionItem['outcome'];
  readonly by: Principal | undefined;
  readonly comment: string | undefined;
  readonly isEdited: boolean;
}

export interface ToolResultEvent extends EventBase {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
  /** A JSON value; `{ code, message, details? }` where `isError`. */
  readonly content: unknown;
}

export interface HandoffEvent extends EventBase {
  readonly type: 'handoff';
  readonly from: string;
  readonly to: string;
  readonly callId: string;
}

/** What the model said, whole. There is one for each reply that has text; the last one before `done` is the answer. */
export interface MessageEvent extends EventBase {
  readonly type: 'message';
  readonly text: string;
  readonly finishReason: string;
  readonly refusal: string | undefined;
  readonly usage: ModelUsage;
}

/** The run ends without an answer, or goes on later (`done` tells which). What the model and the transcript are told stays valid. */
export interface ErrorEvent extends EventBase {
  readonly type: 'error';
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** What was thrown, for the process that ran into it; never stored, and not for clients. */
  readonly cause?: unknown;
}

/** The last event. */
export interface DoneEvent<Answer = unknown> extends EventBase {
  readonly type: 'done';
  /**
   * `waiting`: for approvals; the run goes on after the decisions. `interrupted`: the run could not be written on, or was left
   * because another process drives it or this one ends, and goes on later, here or elsewhere. `queued`: the message is answered
   * after the run that another process drives.
   */
  readonly outcome: RunEndedItem['outcome'] | 'waiting' | 'queued' | 'interrupted';
  /** Of the whole run so far. */
  readonly usage: RunUsage;
  /** The answer of a `completed` run, where the agent that was asked gave it: of its `output`, else the text. */
  readonly answer: Answer | undefined;
  /** What a `waiting` run waits for. */
  readonly pendingApprovals: readonly string[];
}

/** What a run tells, in order. */
export type AgentEvent<Answer = unknown> =
  | MessageDeltaEvent
  | ToolCallEvent
  | ApprovalRequestEvent
  | ApprovalDecisionEvent
  | ToolResultEvent
  | HandoffEvent
  | MessageEvent
  | ErrorEvent
  | DoneEvent<Answer>;
