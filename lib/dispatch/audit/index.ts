export type { AuditOptions, AuditRecord, AuditSink } from './audit-record.js';
export { OperationAudit, type RunningCall } from './operation-audit.js';
