import { principalSnapshot } from '../../../common/index.js';
import { isSamePrincipal } from '../../../conversations/state/index.js';
import type { ApprovalRecord, ApprovalVote, DecideOutcome, Decision } from '../approval-record.js';
import { refuseWrite } from './propose.js';

/** What a decision is refused as whose verdict is neither of the two. */
export const NO_VERDICT = 'a decision that neither approves nor denies';

export interface Judgement {
  readonly kind: Exclude<DecideOutcome['kind'], 'unknown'>;
  /** As it is afterwards: the very object that was given where nothing changed. */
  readonly approval: ApprovalRecord;
}

/**
 * What a decision does to an approval.
 * @throws ConversationError `journal_write_invalid` of a verdict that is none
 */
export function judge(approval: ApprovalRecord, decision: Decision, now: number): Judgement {
  checkVerdict(decision);
  if (approval.state === 'expired') return { kind: 'expired', approval };
  if (approval.state !== 'pending')
    return { kind: isRepeatOfSettled(approval, decision) ? 'repeated' : 'conflict', approval };
  if (approval.expiresAt <= now) return { kind: 'expired', approval: expired(approval, now) };
  return uncounted(approval, decision) ?? counted(withVote(approval, decision, now), now);
}

/** What a decision about a pending approval comes to where it counts nothing; undefined where it is to be counted. */
export function uncounted(approval: ApprovalRecord, decision: Decision): Judgement | undefined {
  const standing = standingVotes(approval).find(isOf(decision));
  if (standing !== undefined) return { kind: isSameVote(standing, decision) ? 'repeated' : 'conflict', approval };
  if (decision.argumentsHash === approval.argumentsHash) return undefined;
  // It may have been counted before the arguments were changed.
  const last = lastVote(approval, decision);
  return { kind: last !== undefined && isSameVote(last, decision) ? 'repeated' : 'stale', approval };
}

/**
 * The votes that count: those on the arguments as they stand, since the last time that somebody changed them. What was said of
 * the same arguments before they were changed, and changed back, was about a call that nobody asks for any more.
 */
export function standingVotes({ votes, argumentsHash }: ApprovalRecord): readonly ApprovalVote[] {
  const lastOnOthers = votes.findLastIndex((vote) => vote.argumentsHash !== argumentsHash);
  return votes.slice(lastOnOthers + 1);
}

/** The approval when its time is over. */
export function expired(approval: ApprovalRecord, now: number): ApprovalRecord {
  return { ...approval, state: 'expired', decidedAt: now };
}

function isRepeatOfSettled(approval: ApprovalRecord, decision: Decision): boolean {
  const vote = lastVote(approval, decision);
  const wanted = decision.verdict === 'approve' ? 'approved' : 'denied';
  return approval.state === wanted && vote !== undefined && isSameVote(vote, decision);
}

/** Whatever it was about. */
function lastVote({ votes }: ApprovalRecord, decision: Decision): ApprovalVote | undefined {
  return votes.findLast(isOf(decision));
}

function isOf({ by }: Decision): (vote: ApprovalVote) => boolean {
  return (vote) => isSamePrincipal(vote.by, by);
}

/** Types do not hold what comes from a request, or from JavaScript: what is no denial is not therefore an approval. */
function checkVerdict({ verdict }: { readonly verdict: unknown }): void {
  if (verdict !== 'approve' && verdict !== 'deny') refuseWrite(NO_VERDICT);
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
  const settle = (state: 'approved' | 'denied'): Judgement => ({
    kind: 'decided',
    approval: { ...approval, state, decidedAt: now },
  });
  if (approval.votes.at(-1)?.verdict === 'deny') return settle('denied');
  // No person has two votes that stand.
  const approving = standingVotes(approval).filter(({ verdict }) => verdict === 'approve');
  return approving.length >= approval.quorum ? settle('approved') : { kind: 'counted', approval };
}
