import { Inject, Injectable } from '@nestjs/common';
import type { CallerContext, Principal } from '../common/index.js';
import { OperationDispatcher } from '../dispatch/index.js';
import type { Palette, ToolCall, ToolResult } from '../palette/index.js';
import { ApprovalDrafts } from './approval-drafts.js';
import { ApprovalError } from './approval-error.js';
import { approvalHistory, type ApprovalHistory } from './decisions/approval-history.js';
import { ApprovalPeople, isSameTenant } from './decisions/approval-people.js';
import { decisionAnswer, type DecisionAnswer } from './decisions/decision-answer.js';
import { EditedArguments } from './decisions/edited-arguments.js';
import { ApprovalEvents } from './events/approval-events.js';
import { OwnCalls } from './keeper/own-calls.js';
import type {
  AgentStore,
  ApprovalFilter,
  ApprovalPage,
  ApprovalPageRequest,
  ApprovalRecord,
  CallRecord,
  DecideOutcome,
  Decision,
} from './ledger/index.js';
import { uncounted } from './ledger/transitions/index.js';
import { APPROVALS_STORE } from './options/approvals.options.js';

/** What a person decides. */
export interface ApprovalDecision {
  readonly verdict: 'approve' | 'deny';
  /** `argumentsHash` of the approval as it was shown. */
  readonly argumentsHash: string;
  readonly comment?: string | undefined;
  /** Approve on the condition that the call runs with these arguments instead. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

export interface ProposeContext {
  readonly palette: Palette;
  readonly caller: CallerContext;
  /** On whose behalf it would run: whoever `principal` of the module sees in the caller of the later `dispatch`. */
  readonly principal: Principal;
  /** What the application finds it by in lists. Default: an id of its own. */
  readonly runId?: string;
}

export type ProposeOutcome =
  | { readonly kind: 'waiting'; readonly approval: ApprovalRecord }
  /** There is no such tool, or the arguments do not fit: what the model is told. */
  | { readonly kind: 'refused'; readonly result: ToolResult }
  /** Nobody has to approve it. */
  | { readonly kind: 'free' };

const MAX_UNKNOWN = 200;

/** Sees, decides and proposes. `by` is always a principal of the application's, never what a client says of itself. */
@Injectable()
export class ApprovalsService {
  constructor(
    /** Where calls and approvals are kept. */
    @Inject(APPROVALS_STORE) readonly store: AgentStore,
    private readonly people: ApprovalPeople,
    private readonly edits: EditedArguments,
    /** Tells notifiers; for a loop that proposes by itself. */
    readonly events: ApprovalEvents,
    private readonly own: OwnCalls,
    private readonly dispatcher: OperationDispatcher,
    /** Writes approvals as the module's policies want them; for a loop that proposes by itself. */
    readonly drafts: ApprovalDrafts,
  ) {}

  /** A page of what this person may see, oldest first. A page may be shorter than asked; the last has no `next`. */
  async list(by: Principal, filter: ApprovalFilter = {}, page: ApprovalPageRequest = {}): Promise<ApprovalPage> {
    const found = await this.store.approvals({ ...filter, tenant: by.tenant }, page);
    const seen = await Promise.all(found.approvals.map((approval) => this.people.maySee(by, approval)));
    return { approvals: found.approvals.filter((_, index) => seen[index]), next: found.next };
  }

  /** @throws ApprovalError `approval_unknown`, also where it is not for this person to see */
  async get(by: Principal, approvalId: string): Promise<ApprovalRecord> {
    const approval = await this.store.approval(approvalId);
    if (approval !== undefined && (await this.people.maySee(by, approval))) return approval;
    throw new ApprovalError('approval_unknown');
  }

  /** @throws ApprovalError `approval_unknown` */
  async history(by: Principal, approvalId: string): Promise<ApprovalHistory> {
    const approval = await this.get(by, approvalId);
    return approvalHistory(approval, await this.own.callOf(approval));
  }

  /**
   * Decides, once. The same decision of the same person again is answered with what stands.
   * @throws ApprovalError `approval_unknown`; `approval_requester_refused`, `approval_role_missing`,
   *   `approval_decider_refused`; `approval_decision_invalid` where it is none, or edited arguments do not fit; `approval_stale`,
   *   `approval_expired`, `approval_conflict` with the winner in `details`
   */
  async decide(by: Principal, approvalId: string, decision: ApprovalDecision): Promise<DecisionAnswer> {
    checkDecision(decision);
    const before = await this.get(by, approvalId);
    await this.people.checkMayDecide(by, before);
    const { verdict, argumentsHash, comment, arguments: args } = decision;
    const edited = args && (await this.edits.check(before, args));
    // Who may decide can hang on the arguments: on those that were asked for, and on those that would run.
    if (edited !== undefined) await this.people.checkMayDecide(by, { ...before, ...edited });
    const outcome = await this.#counted(before, { approvalId, verdict, by, argumentsHash, comment, edited });
    if (outcome.kind === 'decided' || (outcome.kind === 'expired' && before.state === 'pending')) {
      this.events.decided(outcome.approval);
    }
    return decisionAnswer(outcome, by);
  }

  /**
   * Proposes a call of a loop that the application wrote. Once it is approved, `dispatch(call, { ..., approvalId })` runs it.
   * @throws DispatchError `approval_gate_failed`
   */
  async propose(call: ToolCall, { palette, caller, principal, runId }: ProposeContext): Promise<ProposeOutcome> {
    const examined = await this.dispatcher.examine(call, { palette, caller });
    if ('refused' in examined) return { kind: 'refused', result: examined.refused };
    if (examined.reasons.length === 0) return { kind: 'free' };
    const approval = await this.own.propose({ ...examined, call, palette: palette.name, requester: principal, runId });
    return { kind: 'waiting', approval };
  }

  /**
   * Waits until an approval is settled, by whatever replica. The approval as it stands then, or when `signal` aborts.
   * @throws ApprovalError `approval_unknown`
   */
  async settled(approvalId: string, signal: AbortSignal): Promise<ApprovalRecord> {
    const approval = await this.#existing(approvalId);
    if (approval.state !== 'pending') return approval;
    for await (const { item } of this.store.watch(approval.conversationId, 1, signal)) {
      if (item.type === 'approval_decision' && item.approvalId === approvalId) break;
    }
    return this.#existing(approvalId);
  }

  /**
   * Calls that may or may not have happened, of this person's tenant, oldest first; of the first 200 of all tenants.
   * @throws ApprovalError `approval_decider_refused`
   */
  async unknownCalls(by: Principal): Promise<readonly CallRecord[]> {
    if (!(await this.people.mayOperate(by))) throw new ApprovalError('approval_decider_refused');
    const calls = await this.store.unknownCalls(MAX_UNKNOWN);
    const own = await Promise.all(calls.map(({ conversationId }) => this.#isOfTenant(by, conversationId)));
    return calls.filter((_, index) => own[index]);
  }

  /**
   * Says that an operator has looked at such a call.
   * @throws ApprovalError `approval_decider_refused`, `call_not_unknown`
   */
  async acknowledge(by: Principal, conversationId: string, callId: string): Promise<void> {
    if (!(await this.people.mayOperate(by))) throw new ApprovalError('approval_decider_refused');
    const isOpen = await this.#isOfTenant(by, conversationId);
    if (!isOpen || !(await this.store.acknowledgeUnknown(conversationId, callId, by))) {
      throw new ApprovalError('call_not_unknown');
    }
  }

  /**
   * Whoever decides was let to on the arguments of `before`. With the hash of others nothing is counted, also where the arguments
   * have become those others by now: nobody has asked whether this person may decide about them.
   */
  async #counted(before: ApprovalRecord, decision: Decision): Promise<DecideOutcome> {
    const isOutdated = before.state === 'pending' && decision.argumentsHash !== before.argumentsHash;
    return (isOutdated ? uncounted(before, decision) : undefined) ?? this.store.decide(decision);
  }

  async #isOfTenant(by: Principal, conversationId: string): Promise<boolean> {
    const conversation = await this.store.find(conversationId);
    return conversation !== undefined && isSameTenant(by, conversation.owner);
  }

  async #existing(approvalId: string): Promise<ApprovalRecord> {
    const approval = await this.store.approval(approvalId);
    if (approval === undefined) throw new ApprovalError('approval_unknown');
    return approval;
  }
}

/** Types do not hold what comes from a request: what is no denial is not therefore an approval. */
function checkDecision({ verdict }: { readonly verdict: unknown }): void {
  if (verdict === 'approve' || verdict === 'deny') return;
  const details = [{ pointer: '/verdict', problem: 'must be one of approve, deny' }];
  throw new ApprovalError('approval_decision_invalid', { details });
}
