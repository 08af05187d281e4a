import { Injectable } from '@nestjs/common';
import type { CallerContext, Principal } from '../../common/index.js';
import { ApprovalError } from '../approval-error.js';
import { ApprovalsService, type ApprovalDecision } from '../approvals.service.js';
import { OwnCalls } from '../keeper/own-calls.js';
import type { ApprovalRecord } from '../ledger/index.js';
import { standingVotes } from '../ledger/transitions/index.js';
import { ApprovalPeople, isSamePerson } from './approval-people.js';
import type { DecisionAnswer } from './decision-answer.js';

interface Theirs {
  readonly by: Principal;
  readonly approval: ApprovalRecord;
}

/**
 * What the one for whom a call would run may decide about it: for surfaces that have that person at hand. Only calls outside
 * any agent's run are decided here, and only by the caller that they would run for.
 */
@Injectable()
export class RequesterDecisions {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly people: ApprovalPeople,
    private readonly own: OwnCalls,
  ) {}

  /** The approval, where it waits for this caller: the call would run for them, they may decide, and have not yet. */
  async waitingFor(caller: CallerContext, approvalId: string): Promise<ApprovalRecord | undefined> {
    try {
      const { by, approval } = await this.#theirs(caller, approvalId);
      await this.people.checkMayDecide(by, approval);
      return approval.state === 'pending' && !hasVoted(by, approval) ? approval : undefined;
    } catch (error) {
      if (ApprovalError.isInstance(error)) return undefined;
      throw error;
    }
  }

  /** Whether the call would run for this caller. */
  async isTheirs(caller: CallerContext, { requester }: ApprovalRecord): Promise<boolean> {
    const by = await this.people.principalOf(caller);
    return by !== undefined && isSamePerson(by, requester);
  }

  /** Whether two callers are the same person; undefined where the application knows neither. */
  async areSamePerson(one: CallerContext, other: CallerContext): Promise<boolean | undefined> {
    const [first, second] = await Promise.all([this.people.principalOf(one), this.people.principalOf(other)]);
    if (first === undefined && second === undefined) return undefined;
    return first !== undefined && second !== undefined && isSamePerson(first, second);
  }

  /**
   * Decides as this caller.
   * @throws ApprovalError as `ApprovalsService.decide`; `approval_unknown` also where the call would not run for this caller
   */
  async decide(caller: CallerContext, approvalId: string, decision: ApprovalDecision): Promise<DecisionAnswer> {
    const { by } = await this.#theirs(caller, approvalId);
    return this.approvals.decide(by, approvalId, decision);
  }

  async #theirs(caller: CallerContext, approvalId: string): Promise<Theirs> {
    const by = await this.people.principalOf(caller);
    const approval = by && (await this.approvals.get(by, approvalId));
    if (approval === undefined || by === undefined) throw new ApprovalError('approval_unknown');
    if (!isSamePerson(by, approval.requester) || !this.own.isOwn(approval)) throw new ApprovalError('approval_unknown');
    return { by, approval };
  }
}

/** About the arguments as they stand: a vote on others does not count. */
function hasVoted(by: Principal, approval: ApprovalRecord): boolean {
  return standingVotes(approval).some((vote) => isSamePerson(vote.by, by));
}
