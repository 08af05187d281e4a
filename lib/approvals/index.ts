export { ApprovalDrafts, type ApprovalDraft } from './approval-drafts.js';
export { ApprovalError } from './approval-error.js';
export { ApprovalsModule } from './approvals.module.js';
export {
  ApprovalsService,
  type ApprovalDecision,
  type ProposeContext,
  type ProposeOutcome,
} from './approvals.service.js';
export type { ApprovalEvent, ApprovalHistory } from './decisions/approval-history.js';
export type { DecisionAnswer } from './decisions/decision-answer.js';
export { EditedArguments, type EditExaminer } from './decisions/edited-arguments.js';
export { RequesterDecisions } from './decisions/requester-decisions.js';
export { editedResult } from './keeper/edited-result.js';
export { isReservedConversation } from './keeper/own-calls.js';
export { IdempotencyKey } from './decorators/idempotency-key.js';
export { ApprovalEvents } from './events/approval-events.js';
export type { ApprovalNotifier } from './events/approval-notifier.js';
export * from './ledger/index.js';
export { InMemoryAgentStore, type InMemoryAgentStoreOptions } from './memory/index.js';
export { publicApprovals, type ApprovalAccess, type ApprovalAuthorizer } from './options/approval-authorizer.js';
export type { ApprovalPolicy, ApprovalsModuleOptions, PrincipalOf } from './options/approvals.options.js';
export type { ApprovalsRoutes } from './routes/approvals.controller.js';
