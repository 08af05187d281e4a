export type {
  ApprovalFilter,
  ApprovalPage,
  ApprovalPageRequest,
  ApprovalRecord,
  ApprovalState,
  ApprovalVote,
  DecideOutcome,
  Decision,
  NewApproval,
} from './approval-record.js';
export type { AgentStore, CallFilter, CallLedger, CallSettlement, Proposal, Withdrawal } from './call-ledger.js';
export { endingOfError, endingOfResult, type CallEnding } from './call-ending.js';
export { FINAL_CALL_STATES, type CallRecord, type CallResult, type CallState, type NewCall } from './call-record.js';
export { endedResult } from './ended-result.js';
