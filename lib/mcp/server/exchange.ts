import type { ElicitRequestFormParams, JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { CallerContext } from '../../common/index.js';
import type { Challenge } from '../authorization/challenge.js';

/** On whose behalf messages are answered: over HTTP the sender of the very message. */
export interface McpExchange {
  /** Asked for each call. */
  readonly caller: () => CallerContext | Promise<CallerContext>;
  /** Takes what the caller lacks to where it can be told by status; absent where there is no such place. */
  readonly challenge?: (challenge: Challenge) => void;
  /** Another way in which a call may end: its caller cancels it, or is gone; absent where there is none. */
  readonly signalOf?: (id: RequestId) => AbortSignal | undefined;
  /** Waits for a call's turn, and gives what ends it; absent where calls need not wait for one another. */
  readonly turn?: () => Promise<() => void>;
  /** Of the one call that was asked for; absent where there may be several. */
  readonly idempotencyKey?: string | undefined;
  /** Asks the client's user, where the answer comes by another message; absent where none can be asked in this way. */
  readonly ask?: (question: ClientQuestion) => Promise<ClientAnswer>;
}

/** A question to the user of a client, asked while a call of theirs waits. */
export interface ClientQuestion {
  readonly params: ElicitRequestFormParams;
  /** Sends a message to the client, beside the call's answer. */
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  /** Whether an answer may come from this caller; others are not heard. */
  readonly isFor: (caller: CallerContext) => Promise<boolean>;
  /** Aborts where nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface ClientAnswer {
  /** `none`: dismissed, or not answered in time. */
  readonly action: 'accept' | 'decline' | 'none';
  /** Who said so. */
  readonly caller: CallerContext;
}
