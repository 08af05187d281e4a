import { Inject, Injectable } from '@nestjs/common';
import { principalSnapshot, type CallerContext, type Principal } from '../../common/index.js';
import { ApprovalError } from '../approval-error.js';
import type { ApprovalRecord } from '../ledger/index.js';
import { APPROVALS_OPTIONS, type ResolvedApprovalsOptions } from '../options/approvals.options.js';

/** Who acts, and what they may. */
@Injectable()
export class ApprovalPeople {
  constructor(@Inject(APPROVALS_OPTIONS) private readonly options: ResolvedApprovalsOptions) {}

  /** Undefined where the application knows nobody by this caller. */
  async principalOf(caller: CallerContext, request?: object): Promise<Principal | undefined> {
    const principal = await this.options.principal(caller, request);
    return principal && principalSnapshot(principal);
  }

  async maySee(by: Principal, approval: ApprovalRecord): Promise<boolean> {
    return isSameTenant(by, approval.requester) && (await this.options.authorizer({ action: 'see', by, approval }));
  }

  async mayOperate(by: Principal): Promise<boolean> {
    return this.options.authorizer({ action: 'operate', by });
  }

  /** @throws ApprovalError `approval_requester_refused`, `approval_role_missing`, `approval_decider_refused` */
  async checkMayDecide(by: Principal, approval: ApprovalRecord): Promise<void> {
    if (!approval.mayRequesterDecide && isSamePerson(by, approval.requester)) {
      throw new ApprovalError('approval_requester_refused');
    }
    if (approval.roles.length > 0) {
      const own = await this.options.rolesOf(by);
      if (!approval.roles.some((role) => own.includes(role))) throw new ApprovalError('approval_role_missing');
    }
    if (!(await this.options.authorizer({ action: 'decide', by, approval }))) {
      throw new ApprovalError('approval_decider_refused');
    }
  }
}

export function isSameTenant(one: Principal, other: Principal): boolean {
  return one.tenant === other.tenant;
}

export function isSamePerson(one: Principal, other: Principal): boolean {
  return one.subject === other.subject && isSameTenant(one, other);
}
