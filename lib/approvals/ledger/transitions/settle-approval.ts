import type { Principal } from '../../../common/index.js';
import type { ApprovalDecisionItem } from '../../../conversations/index.js';
import type { ApprovalRecord, ApprovalState } from '../approval-record.js';
import type { CallRecord } from '../call-record.js';
import { endedResult } from '../ended-result.js';

/** An approval, its call, and what the journal is told, after one of them changed. */
export interface ApprovalChange {
  readonly approval: ApprovalRecord;
  readonly call: CallRecord;
  /** Undefined while it is pending. */
  readonly item: ApprovalDecisionItem | undefined;
}

/** What follows from an approval that changed, for the call that it is about. */
export function followed(approval: ApprovalRecord, call: CallRecord, now: number, by?: Principal): ApprovalChange {
  const { arguments: text, argumentsHash, originalArguments, state } = approval;
  const current = { ...call, arguments: text, argumentsHash, originalArguments, updatedAt: now };
  if (state === 'pending') return { approval, call: current, item: undefined };
  const item = decisionItem(approval, state, by);
  if (state === 'approved') return { approval, call: { ...current, state: 'ready' }, item };
  const result = endedResult(state, state === 'denied' ? item.comment : undefined);
  return { approval, call: { ...current, state, result }, item };
}

function decisionItem(
  { runId, callId, approvalId, votes, originalArguments }: ApprovalRecord,
  outcome: Exclude<ApprovalState, 'pending'>,
  withdrawnBy: Principal | undefined,
): ApprovalDecisionItem {
  const last = outcome === 'approved' || outcome === 'denied' ? votes.at(-1) : undefined;
  const by = last?.by ?? withdrawnBy;
  return {
    type: 'approval_decision',
    runId,
    callId,
    approvalId,
    outcome,
    ...(by === undefined ? {} : { by }),
    ...(last?.comment === undefined ? {} : { comment: last.comment }),
    isEdited: originalArguments !== undefined,
  };
}
