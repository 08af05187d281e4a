import type { Principal } from '../../common/index.js';
import { ApprovalError } from '../approval-error.js';
import type { ApprovalRecord, DecideOutcome } from '../ledger/index.js';
import { isSamePerson } from './approval-people.js';

export interface DecisionAnswer {
  /**
   * `decided`: this settled it. `counted`: more persons must approve. `repeated`: the same person had said the same before.
   */
  readonly outcome: 'decided' | 'counted' | 'repeated';
  readonly approval: ApprovalRecord;
}

/** @throws ApprovalError `approval_unknown`, `approval_conflict`, `approval_expired`, `approval_stale` */
export function decisionAnswer(outcome: DecideOutcome, by: Principal): DecisionAnswer {
  switch (outcome.kind) {
    case 'unknown':
      throw new ApprovalError('approval_unknown');
    case 'conflict':
      throw new ApprovalError('approval_conflict', { details: winnerOf(outcome.approval, by) });
    case 'expired':
      throw new ApprovalError('approval_expired', { details: { expiresAt: outcome.approval.expiresAt } });
    case 'stale':
      throw new ApprovalError('approval_stale');
    default:
      return { outcome: outcome.kind, approval: outcome.approval };
  }
}

/** How it stands, and by whose word: the last vote settled it; while it is pending, the conflict is with one's own. */
function winnerOf({ state, votes, decidedAt }: ApprovalRecord, by: Principal): Record<string, unknown> {
  const vote = state === 'pending' ? votes.find((own) => isSamePerson(own.by, by)) : votes.at(-1);
  const isWinner = vote !== undefined && ['pending', 'approved', 'denied'].includes(state);
  return {
    state,
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(isWinner ? { by: vote.by.subject, verdict: vote.verdict } : {}),
  };
}
