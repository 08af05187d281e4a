import type { AppendOutcome, ConversationStore, JournalAppend } from '../../conversations/index.js';
import type {
  ApprovalFilter,
  ApprovalPage,
  ApprovalPageRequest,
  ApprovalRecord,
  DecideOutcome,
  Decision,
  NewApproval,
} from './approval-record.js';
import type { CallRecord, CallResult, CallState, NewCall } from './call-record.js';

/** What a step of a run wants to do: the reply, a row a call, an approval a gated call; all of it or nothing. */
export interface Proposal extends JournalAppend {
  readonly calls: readonly NewCall[];
  /** Their `approval_request` items are among `items`; the store sets the `expiresAt` of these, by its own clock. */
  readonly approvals: readonly NewApproval[];
}

export interface CallFilter {
  readonly runId?: string | undefined;
  readonly step?: number | undefined;
  readonly states?: readonly CallState[] | undefined;
}

/** How a claimed call ended. */
export interface CallSettlement {
  readonly conversationId: string;
  readonly callId: string;
  readonly fence: number;
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'unknown';
  readonly result: CallResult;
}

/** Takes back what was not decided yet, and what was not begun. */
export interface Withdrawal {
  readonly conversationId: string;
  readonly as: 'superseded' | 'cancelled';
  readonly by?: ApprovalRecord['requester'] | undefined;
  /** Default: every call that waits or is ready. */
  readonly callIds?: readonly string[] | undefined;
}

/**
 * The calls of conversations and the decisions about them. Every method is atomic: of two that exclude one another, one
 * happens and the other is told so. A decision, an expiry and a withdrawal write their `approval_decision` item into the
 * journal in the same transaction, which wakes whoever watches.
 *
 * Results of calls that end without running are the store's to write, from `endedResult`: `denied`, `expired`,
 * `cancelled`, `superseded`.
 */
export interface CallLedger {
  /**
   * As `append`, with rows. A repeated `operationId` changes nothing.
   * @throws ConversationError `journal_write_invalid` where rows do not fit together, or their ids are taken
   */
  propose(conversationId: string, proposal: Proposal): Promise<AppendOutcome>;
  /** In order of run, step and index: runs in the order in which they first proposed. */
  calls(conversationId: string, filter?: CallFilter): Promise<readonly CallRecord[]>;
  /**
   * `ready` -> `executing` under a live claim's fence; also `executing` -> `executing` of a repeatable call that an older
   * fence left behind. Undefined where there is nothing to claim: nobody but the one who got the record may run the call.
   */
  claimCall(conversationId: string, callId: string, fence: number): Promise<CallRecord | undefined>;
  /**
   * `executing` -> final, where the call was claimed under this very fence, also after its lease has ended: what happened
   * has happened. False: it was not, and nothing changed. In a `transaction` that is to be thrown, so that nothing stays.
   */
  settleCall(settlement: CallSettlement): Promise<boolean>;
  /**
   * `executing` -> `unknown` for calls that are not repeatable and that a fence older than this one left behind. Yields them;
   * none where this fence is not a live claim's.
   */
  abandonCalls(conversationId: string, fence: number): Promise<readonly CallRecord[]>;
  /**
   * Counts one person's decision. Whether that person may decide is for the caller to know: the ledger asks nobody. With a
   * `quorum`, only votes on the arguments as they stand count, given since they were last changed: an edit asks everybody else
   * anew, also where it takes another one back.
   * @throws ConversationError `journal_write_invalid` of a verdict that is neither of the two
   */
  decide(decision: Decision): Promise<DecideOutcome>;
  approval(approvalId: string): Promise<ApprovalRecord | undefined>;
  /** @throws ConversationError `approval_cursor_invalid` */
  approvals(filter: ApprovalFilter, page?: ApprovalPageRequest): Promise<ApprovalPage>;
  /** Yields the calls that it ended: those that waited, with their approvals, and those that were ready. */
  withdraw(withdrawal: Withdrawal): Promise<readonly CallRecord[]>;
  /** `pending` -> `expired` for what is past its time, `limit` at most. Yields them. */
  expireApprovals(limit: number): Promise<readonly ApprovalRecord[]>;
  /**
   * Conversations that could go on: an open run or a queued message, no approval pending, no live claim. Those first that
   * were written to or claimed the longest ago, so that one that cannot go on holds up no other.
   */
  runnable(limit: number): Promise<readonly string[]>;
  /** Calls in `unknown` that no operator has looked at, those first that became so first. */
  unknownCalls(limit: number): Promise<readonly CallRecord[]>;
  /** An operator has looked at it. False: it was not `unknown`, or had been looked at. */
  acknowledgeUnknown(conversationId: string, callId: string, by: ApprovalRecord['requester']): Promise<boolean>;
  /**
   * Calls back when a conversation may have been written to, by whatever process: a hint, of which any may be lost. Yields what takes
   * that back. Absent where the driver has no push.
   */
  onWritten?(listener: () => void): () => void;
  /**
   * Runs `work` in a transaction of the store, which `settleCall` within it joins, as may the handler. Absent where the
   * driver has no transactions to share.
   */
  transaction?<T>(work: () => Promise<T>): Promise<T>;
}

/** What a driver implements: journal and ledger, since a proposal writes to both or to neither. */
export interface AgentStore extends ConversationStore, CallLedger {}
