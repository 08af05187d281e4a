export { ApprovalDrafts, type ApprovalDraft } from './approval-drafts.js';
export type { ApprovalNotifier } from './events/approval-notifier.js';
export type * from './ledger/index.js';
export { publicApprovals, type ApprovalAccess, type ApprovalAuthorizer } from './options/approval-authorizer.js';
export type { ApprovalPolicy, ApprovalsModuleOptions, PrincipalOf } from './options/approvals.options.js';
