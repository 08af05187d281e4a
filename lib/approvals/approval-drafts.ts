import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { principalSnapshot, type Principal } from '../common/index.js';
import type { NewApproval } from './ledger/index.js';
import { APPROVALS_OPTIONS, type ResolvedApprovalsOptions } from './options/approvals.options.js';

export interface ApprovalDraft {
  readonly callId: string;
  /** The operation's name. */
  readonly operation: string;
  /** Why a person has to decide; at least one. */
  readonly reasons: readonly string[];
  readonly requester: Principal;
}

/** Writes approvals as the module's policies want them: who may decide, how many must, for how long. */
@Injectable()
export class ApprovalDrafts {
  constructor(@Inject(APPROVALS_OPTIONS) private readonly options: ResolvedApprovalsOptions) {}

  /** An approval to propose, under an id that nobody can guess. */
  draft({ callId, operation, reasons, requester }: ApprovalDraft): NewApproval {
    return {
      approvalId: randomUUID(),
      callId,
      operation,
      reason: reasons.join('\n'),
      requester: principalSnapshot(requester),
      ...this.options.policyOf(operation),
    };
  }
}
