import type { Principal } from '../../common/index.js';
import type { ApprovalRecord, ApprovalState, CallRecord, CallState } from '../ledger/index.js';

/** One thing that happened to an approval, by the store's clock. */
export type ApprovalEvent =
  | { readonly what: 'requested'; readonly at: number; readonly by: Principal; readonly reason: string }
  | {
      readonly what: 'vote';
      readonly at: number;
      readonly by: Principal;
      readonly verdict: 'approve' | 'deny';
      readonly comment?: string | undefined;
      readonly argumentsHash: string;
    }
  | { readonly what: 'settled'; readonly at: number; readonly state: ApprovalState };

export interface ApprovalHistory {
  readonly approvalId: string;
  /** In the order in which they happened. */
  readonly events: readonly ApprovalEvent[];
  /** What runs, or ran, and what the model had written where a person changed it; JSON text. */
  readonly arguments: string;
  readonly originalArguments: string | undefined;
  /** How the call stands. What it answered is not told: that is the requester's. */
  readonly call: { readonly state: CallState; readonly attempts: number; readonly updatedAt: number } | undefined;
}

export function approvalHistory(approval: ApprovalRecord, call: CallRecord | undefined): ApprovalHistory {
  const { approvalId, state, decidedAt } = approval;
  const settled: ApprovalEvent[] = decidedAt === undefined ? [] : [{ what: 'settled', at: decidedAt, state }];
  return {
    approvalId,
    events: [
      { what: 'requested', at: approval.createdAt, by: approval.requester, reason: approval.reason },
      ...approval.votes.map((vote) => ({ what: 'vote' as const, ...vote })),
      ...settled,
    ],
    arguments: approval.arguments,
    originalArguments: approval.originalArguments,
    call: call && { state: call.state, attempts: call.attempts, updatedAt: call.updatedAt },
  };
}
