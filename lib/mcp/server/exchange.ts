import type { RequestId } from '@modelcontextprotocol/server';
import type { CallerContext } from '../../common/index.js';
import type { Challenge } from '../authorization/challenge.js';

/** On whose behalf messages are answered: over HTTP the sender of the very message. */
export interface McpExchange {
  /** Asked for each call. */
  readonly caller: () => CallerContext | Promise<CallerContext>;
  /** Takes what the caller lacks to where it can be told by status; absent where there is no such place. */
  readonly challenge?: (challenge: Challenge) => void;
  /** Another way in which the caller may cancel a call; absent where there is none. */
  readonly watch?: (id: RequestId) => WatchedCall;
}

export interface WatchedCall {
  readonly signal: AbortSignal;
  readonly end: () => void;
}
