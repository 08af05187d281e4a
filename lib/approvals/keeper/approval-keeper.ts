import { Inject, Injectable } from '@nestjs/common';
import { canonicalDigest, type Principal } from '../../common/index.js';
import { ApprovalGate, refusal, type CallAdmission, type CallGate, type GatedCall } from '../../dispatch/index.js';
import type { ToolResult } from '../../palette/index.js';
import { isSamePerson, ApprovalPeople } from '../decisions/approval-people.js';
import { FINAL_CALL_STATES, type AgentStore, type ApprovalRecord, type CallRecord } from '../ledger/index.js';
import { APPROVALS_OPTIONS, APPROVALS_STORE, type ResolvedApprovalsOptions } from '../options/approvals.options.js';
import { ClaimedCall } from './claimed-call.js';
import { editedResult } from './edited-result.js';
import { OwnCalls } from './own-calls.js';

/** Lets a gated call run that was approved, once; every other is answered with how it stands. */
@Injectable()
export class ApprovalKeeper implements CallGate {
  constructor(
    gate: ApprovalGate,
    @Inject(APPROVALS_STORE) private readonly store: AgentStore,
    @Inject(APPROVALS_OPTIONS) private readonly options: ResolvedApprovalsOptions,
    private readonly people: ApprovalPeople,
    private readonly own: OwnCalls,
  ) {
    gate.keptBy(this);
  }

  async admit(asked: GatedCall): Promise<CallAdmission> {
    const requester = await this.people.principalOf(asked.caller);
    if (asked.approvalId === undefined) {
      const approval = await this.#proposed(asked, requester);
      return approval === undefined ? answered(required(asked)) : this.#admitAs(approval, asked);
    }
    const approval = await this.store.approval(asked.approvalId);
    const isTheirs =
      approval !== undefined &&
      requester !== undefined &&
      isSamePerson(requester, approval.requester) &&
      this.own.isOwn(approval);
    if (!isTheirs) return answered(refusal(asked.call.id, 'approval_unknown'));
    return this.#admitAs(approval, asked);
  }

  async #proposed(asked: GatedCall, requester: Principal | undefined): Promise<ApprovalRecord | undefined> {
    if (!this.options.proposeUnasked || requester === undefined) return undefined;
    return this.own.proposeOnce({ ...asked, requester });
  }

  async #admitAs(approval: ApprovalRecord, asked: GatedCall): Promise<CallAdmission> {
    const call = await this.own.callOf(approval);
    if (call === undefined || !isSameCall(approval, asked)) {
      return answered(refusal(asked.call.id, 'approval_mismatch'));
    }
    if (call.state === 'waiting') return answered(required(asked, approval));
    if (FINAL_CALL_STATES.has(call.state)) return answered(this.#resultOf(call, asked));
    const claim = await this.own.claim(call);
    if (claim === undefined) return answered(refusal(asked.call.id, 'call_running'));
    if (!(claim instanceof ClaimedCall)) return answered(this.#resultOf(claim, asked));
    return this.#admitted(claim, asked);
  }

  /** What was approved, to be run with the arguments as the person left them. */
  #admitted(claim: ClaimedCall, asked: GatedCall): CallAdmission {
    const { idempotencyKey, originalArguments, arguments: text } = claim.record;
    const isEdited = originalArguments !== undefined;
    return {
      kind: 'admitted',
      arguments: isEdited ? text : undefined,
      run: async (call) => {
        const result = await this.#run(claim, asked, () => call(idempotencyKey));
        if (result === undefined) return refusal(asked.call.id, 'call_running');
        return isEdited ? editedResult(result, text) : result;
      },
    };
  }

  /** Effect and ledger together, where the operation wants that and the store has transactions. */
  #run(claim: ClaimedCall, { entry }: GatedCall, call: () => Promise<ToolResult>): Promise<ToolResult | undefined> {
    const { store } = this;
    if (!entry.operation.transactional || store.transaction === undefined) return claim.run(call);
    return claim.runTogether(call, (work) => (store.transaction as NonNullable<typeof store.transaction>)(work));
  }

  /** What a call came to that is over, or that another process has just taken up. */
  #resultOf(call: CallRecord, { call: { id } }: GatedCall): ToolResult {
    if (call.result === undefined) return refusal(id, 'call_running');
    const result = { toolCallId: id, isError: call.result.isError, content: call.result.content };
    const hasRun = call.state === 'succeeded' || call.state === 'failed';
    return hasRun && call.originalArguments !== undefined ? editedResult(result, call.arguments) : result;
  }
}

/** The very same tool and arguments, by the palette that it was proposed through. Edited ones may be named by either. */
function isSameCall(approval: ApprovalRecord, { call, entry, argumentsHash, palette }: GatedCall): boolean {
  const { operation, toolName, agent, originalArguments } = approval;
  const hashes = [approval.argumentsHash];
  if (originalArguments !== undefined) hashes.push(canonicalDigest(JSON.parse(originalArguments)));
  const isSameTool = operation === entry.operation.name && toolName === call.name && agent === palette;
  return isSameTool && hashes.includes(argumentsHash);
}

function required({ call, reasons }: GatedCall, approval?: ApprovalRecord): ToolResult {
  const waiting = approval && { approvalId: approval.approvalId, expiresAt: approval.expiresAt };
  return refusal(call.id, 'approval_required', { details: { reasons, ...waiting } });
}

function answered(result: ToolResult): CallAdmission {
  return { kind: 'answered', result };
}
