import type { ExecutionContext } from '@nestjs/common';
import { rawRequestOf, type ErrorCode } from '../common/index.js';
import type { OperationDescriptor } from '../operations/index.js';

/** What an application may know of the tool call that a request is. */
export interface AgentCallInfo {
  readonly palette: string;
  readonly toolName: string;
  readonly toolCallId: string;
  readonly operation: string;
  /** How many tool calls this one is nested in, itself included. */
  readonly depth: number;
  /** When the call must be done, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** What the library's own enhancers know of it. */
export interface ToolCallState {
  readonly info: AgentCallInfo;
  readonly operation: OperationDescriptor;
  readonly typedQuery: Readonly<Record<string, unknown>> | undefined;
  /** Whether the handler that the router chose is the operation's own. */
  identity: 'unconfirmed' | 'confirmed' | 'mismatched';
  /** For a message handler: whether the application has global enhancers that must have run before it. */
  readonly needsGlobalEnhancers?: boolean;
  hasPassedGlobalGuard?: boolean;
  areEnhancersSkipped?: boolean;
  /** For a message handler: as what a guard of the library refused the call. */
  refusedAs?: ErrorCode;
  /** The request as the application's platform has it, once a guard has seen it. */
  request?: object;
}

// Keyed by the request object itself: an application can tell its own requests only, and no middleware that loses its
// async context can turn a tool call into a plain request.
const STATES = new WeakMap<object, ToolCallState>();

export function attachToolCall(rawRequest: object, state: ToolCallState): void {
  STATES.set(rawRequest, state);
}

/** The tool call behind a request of the application; undefined for plain HTTP. */
export function toolCallOf(request: unknown): ToolCallState | undefined {
  const raw = rawRequestOf(request);
  return raw && STATES.get(raw);
}

/** What a tool call is known by: the request of a route, the context of a message handler. */
export function carrierOf(context: ExecutionContext): object | undefined {
  if (context.getType() === 'http') return context.switchToHttp().getRequest<object>();
  return context.getType() === 'rpc' ? context.switchToRpc().getContext<object>() : undefined;
}

/** Compares the handler that was chosen with the operation's own. */
export function confirmIdentity(call: ToolCallState, context: ExecutionContext): boolean {
  call.identity = isHandlerOf(context, call.operation) ? 'confirmed' : 'mismatched';
  return call.identity === 'confirmed';
}

/** Tracing libraries wrap handlers and keep their name, hence the second look within the same class. */
function isHandlerOf(context: ExecutionContext, operation: OperationDescriptor): boolean {
  const handler = context.getHandler() as unknown as { readonly name: string };
  return (
    context.getClass() === operation.controller &&
    (handler === (operation.handler as unknown) || handler.name === operation.methodName)
  );
}
