import { principalSnapshot } from '../../../common/index.js';
import { isSamePrincipal } from '../../../conversations/state/index.js';
import type { ApprovalRecord, ApprovalVote, DecideOutcome, Decision } from '../approval-record.js';

export interface Judgement {
  readonly kind: Exclude<DecideOutcome['kind'], 'unknown'>;
  /** As it is afterwards: the very object that was given where nothing changed. */
  readonly approval: ApprovalRecord;
}

/** What a decision does to an approval. */
export function judge(approval: ApprovalRecord, decision: Decision, now: number): Judgement {
  if (approval.state === 'expired') return { kind: 'expired', approval };
  if (approval.state !== 'pending')
    return { kind: isRepeatOfSettled(approval, decision) ? 'repeated' : 'conflict', approval };
  if (approval.expiresAt <= now) return { kind: 'expired', approval: expired(approval, now) };
  const vote = voteOf(approval, decision);
  if (vote !== undefined && isSameVote(vote, decision)) return { kind: 'repeated', approval };
  // A vote on arguments that have been changed since does not stand, and its voter is asked again.
  if (vote?.argumentsHash === approval.argumentsHash) return { kind: 'conflict', approval };
  if (decision.argumentsHash !== approval.argumentsHash) return { kind: 'stale', approval };
  return counted(withVote(approval, decision, now), now);
}

/** The approval when its time is over. */
export function expired(approval: ApprovalRecord, now: number): ApprovalRecord {
  return { ...approval, state: 'expired', decidedAt: now };
}

function isRepeatOfSettled(approval: ApprovalRecord, decision: Decision): boolean {
  const vote = voteOf(approval, decision);
  const wanted = decision.verdict === 'approve' ? 'approved' : 'denied';
  return approval.state === wanted && vote !== undefined && isSameVote(vote, decision);
}

/** The last vote of the person who decides. */
function voteOf({ votes }: ApprovalRecord, { by }: Decision): ApprovalVote | undefined {
  return votes.findLast((vote) => isSamePrincipal(vote.by, by));
}

function isSameVote(vote: ApprovalVote, decision: Decision): boolean {
  return vote.verdict === decision.verdict && vote.argumentsHash === hashWanted(decision);
}

function hashWanted({ verdict, edited, argumentsHash }: Decision): string {
  return verdict === 'approve' && edited !== undefined ? edited.argumentsHash : argumentsHash;
}

function withVote(approval: ApprovalRecord, decision: Decision, now: number): ApprovalRecord {
  const argumentsHash = hashWanted(decision);
  const vote: ApprovalVote = {
    by: principalSnapshot(decision.by),
    verdict: decision.verdict,
    at: now,
    comment: decision.comment,
    argumentsHash,
  };
  const votes = [...approval.votes, vote];
  if (decision.edited === undefined || argumentsHash === approval.argumentsHash) return { ...approval, votes };
  const originalArguments = approval.originalArguments ?? approval.arguments;
  return { ...approval, votes, arguments: decision.edited.arguments, argumentsHash, originalArguments };
}

function counted(approval: ApprovalRecord, now: number): Judgement {
  const { votes, argumentsHash, quorum } = approval;
  const settle = (state: 'approved' | 'denied'): Judgement => ({
    kind: 'decided',
    approval: { ...approval, state, decidedAt: now },
  });
  if (votes.at(-1)?.verdict === 'deny') return settle('denied');
  const standing = votes.filter((vote) => vote.argumentsHash === argumentsHash).length;
  return standing >= quorum ? settle('approved') : { kind: 'counted', approval };
}
