import type { Withdrawal } from '../../approvals/index.js';
import { errorMessage, PaletteError } from '../../common/index.js';
import type { RunEndedItem } from '../../conversations/index.js';
import { AgentError } from '../agent-error.js';

/** How a run ends, and for whom. */
export interface Ending {
  readonly outcome: RunEndedItem['outcome'];
  readonly error?: unknown;
  /** What becomes of calls that wait or are ready. Default: `cancelled`. */
  readonly as?: Withdrawal['as'];
}

/** How a run ends that something was thrown in. */
export function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (!signal.aborted) return { outcome: 'failed', error: error ?? new Error('Nothing was thrown.') };
  const reason: unknown = signal.reason;
  return AgentError.isInstance(reason) ? { outcome: 'failed', error: reason } : { outcome: 'cancelled' };
}

/** What is told and kept of an error: never more than its code and what the library says of it. */
export function toldError(error: unknown): { readonly code: string; readonly message: string } {
  if (!PaletteError.isInstance(error)) return { code: 'agent_failed', message: errorMessage('agent_failed') };
  return { code: error.code, message: error.message.replace(`[${error.code}] `, '') };
}
