import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { toolCallOf, type AgentCallInfo } from '../tool-call-state.js';

/** Gives a handler what is known of the tool call it answers: an `AgentCallInfo`, or undefined for plain HTTP. */
export const AgentCall = createParamDecorator((_data: unknown, context: ExecutionContext): AgentCallInfo | undefined =>
  agentCallOf(context),
);

/** The same for guards, interceptors and filters. */
export function agentCallOf(context: ExecutionContext): AgentCallInfo | undefined {
  return context.getType() === 'http' ? toolCallOf(context.switchToHttp().getRequest())?.info : undefined;
}
