export { dropOptionalNulls } from './arguments/drop-optional-nulls.js';
export { parseArguments } from './arguments/parse-arguments.js';
export { OperationAudit, type AuditOptions, type AuditRecord, type AuditSink } from './audit/index.js';
export { AgentCall, agentCallOf } from './decorators/agent-call.js';
export { AgentCallGuard, AgentCalls } from './decorators/agent-calls.js';
export { Caller, callerOf, senderOf } from './decorators/caller.js';
export { DispatchError } from './dispatch-error.js';
export {
  DISPATCH_OPTIONS,
  MAX_ARGUMENT_BYTES,
  resolveDispatchOptions,
  type DispatchOptions,
  type ResolvedDispatchOptions,
} from './dispatch.options.js';
export { DeadlineInterceptor } from './enhancers/deadline.interceptor.js';
export { OperationAuditInterceptor } from './enhancers/operation-audit.interceptor.js';
export { OperationIdentityGuard } from './enhancers/operation-identity.guard.js';
export { bindTypedQuery } from './enhancers/typed-query.interceptor.js';
export {
  ApprovalGate,
  grantCall,
  type AdmittedRun,
  type CallAdmission,
  type CallGate,
  type CallGrant,
  type GatedCall,
} from './gate/index.js';
export { ApplicationHttpServer } from './http/application-http-server.js';
export { onHangUp } from './http/hang-up.js';
export { HttpTransport } from './http/http-transport.js';
export { MessageServers } from './messages/message-servers.js';
export { MessageTransport } from './messages/message-transport.js';
export { ToolCallContext } from './messages/tool-call-context.js';
export {
  OperationDispatcher,
  type DispatchAllOptions,
  type DispatchContext,
  type ExaminedCall,
} from './operation-dispatcher.js';
export { refusal, statusCode, type RefusalContent } from './result/tool-result.js';
export { runSideBySide } from './run-side-by-side.js';
export type { AgentCallInfo } from './tool-call-state.js';
