/**
 * Where a call stands. `waiting` for a decision, `ready` to be claimed, `executing` under a fence; the others are final.
 * `unknown`: a process died while it ran, so that it may or may not have happened.
 */
export type CallState =
  | 'waiting'
  | 'ready'
  | 'executing'
  | 'succeeded'
  | 'failed'
  | 'denied'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'unknown';

export const FINAL_CALL_STATES: ReadonlySet<CallState> = new Set<CallState>([
  'succeeded',
  'failed',
  'denied',
  'expired',
  'cancelled',
  'superseded',
  'unknown',
]);

/** What a model is told of a call, as the ledger keeps it. */
export interface CallResult {
  readonly isError: boolean;
  /** A JSON value. */
  readonly content: unknown;
}

/** A call as it is proposed: what never changes about it. */
export interface NewCall {
  /** Unique in the conversation. */
  readonly callId: string;
  readonly runId: string;
  readonly step: number;
  /** Its place among the calls of its step, from 0. */
  readonly index: number;
  readonly agent: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** One JSON object as text. */
  readonly arguments: string;
  /** SHA-256 of the arguments' canonical JSON. */
  readonly argumentsHash: string;
  /** Handed to the handler with each attempt. */
  readonly idempotencyKey: string;
  /** Whether a repeat does no harm: what only reads, what is idempotent, what commits together with the ledger. */
  readonly isRepeatable: boolean;
  /** `waiting` with an approval of the same proposal; a final state with its result where nothing is to be run. */
  readonly state: 'waiting' | 'ready' | 'failed' | 'denied';
  readonly result?: CallResult | undefined;
}

/** A call of a conversation, as it stands. */
export interface CallRecord extends Omit<NewCall, 'state' | 'result'> {
  readonly conversationId: string;
  readonly state: CallState;
  readonly approvalId: string | undefined;
  /** What the model wrote, where a person changed it: `arguments` is then what runs. */
  readonly originalArguments: string | undefined;
  /** How often it was claimed. */
  readonly attempts: number;
  /** The fence it runs under, or ran under last. */
  readonly fence: number | undefined;
  readonly result: CallResult | undefined;
  /** By the store's clock, in milliseconds since the epoch. */
  readonly updatedAt: number;
}
