export { ApprovalGate } from './approval-gate.js';
export type { AdmittedRun, CallAdmission, CallGate, GatedCall } from './call-gate.js';
export { grantCall, type CallGrant } from './call-grant.js';
