export { ApprovalGate } from './approval-gate.js';
export type { CallAdmission, CallGate, GatedCall } from './call-gate.js';
export { grantCall, type CallGrant } from './call-grant.js';
