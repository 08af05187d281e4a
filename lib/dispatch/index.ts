export { AgentCall, agentCallOf } from './decorators/agent-call.js';
export { Caller, callerOf } from './decorators/caller.js';
export { DispatchError } from './dispatch-error.js';
export { resolveDispatchOptions, type DispatchOptions, type ResolvedDispatchOptions } from './dispatch.options.js';
export { OperationIdentityGuard } from './enhancers/operation-identity.guard.js';
export { TypedQueryInterceptor } from './enhancers/typed-query.interceptor.js';
export { ApplicationHttpServer } from './http-server.js';
export { DISPATCH_OPTIONS, OperationDispatcher, type DispatchContext } from './operation-dispatcher.js';
export type { AgentCallInfo } from './tool-call-state.js';
