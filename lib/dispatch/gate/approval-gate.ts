import { Injectable } from '@nestjs/common';
import type { CallerContext } from '../../common/index.js';
import type { PaletteEntry, ToolResult } from '../../palette/index.js';
import { DispatchError } from '../dispatch-error.js';
import { refusal } from '../result/tool-result.js';
import type { CallAdmission, CallGate, GatedCall } from './call-gate.js';
import { useGrant, type CallGrant } from './call-grant.js';

/** Asks whether a call needs a person's approval, and whoever keeps approvals whether it has one. */
@Injectable()
export class ApprovalGate {
  #keeper: CallGate | undefined;

  /** Whether anybody keeps approvals: without, gated calls are refused. */
  get isKept(): boolean {
    return this.#keeper !== undefined;
  }

  keptBy(keeper: CallGate): void {
    this.#keeper = keeper;
  }

  /**
   * Why a person must approve this call: the reasons of all rules that demand it.
   * @throws DispatchError `approval_gate_failed` where a rule threw: what cannot be judged is not run
   */
  async reasons(
    entry: PaletteEntry,
    args: Readonly<Record<string, unknown>>,
    caller: CallerContext,
  ): Promise<readonly string[]> {
    try {
      const told = await Promise.all(
        entry.approvalRules.map((rule) => (typeof rule === 'string' ? rule : rule(args, caller))),
      );
      return told.filter((reason) => reason !== false);
    } catch (cause) {
      throw new DispatchError('approval_gate_failed', { operation: entry.operation.name, cause });
    }
  }

  /** Lets a call pass that has been claimed, and asks the keeper about every other. */
  async admit(call: GatedCall, grant: CallGrant | undefined): Promise<CallAdmission | undefined> {
    if (useGrant(grant, { operation: call.entry.operation.name, argumentsHash: call.argumentsHash })) return undefined;
    return this.#keeper?.admit(call) ?? { kind: 'answered', result: approvalRequired(call) };
  }
}

function approvalRequired({ call, reasons }: GatedCall): ToolResult {
  return refusal(call.id, 'approval_required', { details: { reasons } });
}
