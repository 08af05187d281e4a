import type { ApprovalRecord } from '../ledger/index.js';

/**
 * Tells people: by mail, in a chat. A notice is a hint and may be lost with the process; what stands is in the store. What a
 * notifier throws is logged and changes nothing, and nobody waits for it.
 */
export interface ApprovalNotifier {
  /** Somebody has to decide. */
  onRequested?(approval: ApprovalRecord): void | Promise<void>;
  /** It is settled: approved, denied, expired, superseded, cancelled. */
  onDecided?(approval: ApprovalRecord): void | Promise<void>;
}
