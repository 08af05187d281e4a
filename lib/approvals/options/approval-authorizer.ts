import type { Principal } from '../../common/index.js';
import type { ApprovalRecord } from '../ledger/index.js';

/**
 * What somebody wants to do. `see` and `decide` are about an approval, `operate` about calls whose outcome is unknown. Whoever
 * decides for other arguments is asked about twice: with those that were asked for, and with `arguments` as they would run.
 */
export type ApprovalAccess =
  | { readonly action: 'see' | 'decide'; readonly by: Principal; readonly approval: ApprovalRecord }
  | { readonly action: 'operate'; readonly by: Principal; readonly approval?: undefined };

/**
 * Whether they may. Asked after tenants were compared, and besides an operation's roles, never instead of them. What may
 * not be seen does not exist for the one who asks.
 */
export type ApprovalAuthorizer = (access: ApprovalAccess) => boolean | Promise<boolean>;

/**
 * An authorizer that lets every principal of the requester's tenant see and decide. Roles, quorum, and that a requester may
 * not decide hold all the same.
 */
export function publicApprovals(): ApprovalAuthorizer {
  return () => true;
}
