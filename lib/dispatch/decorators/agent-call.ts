import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { carrierOf, toolCallOf, type AgentCallInfo } from '../tool-call-state.js';

/** Gives a handler what is known of the tool call it answers: an `AgentCallInfo`; undefined for plain HTTP and messages. */
export const AgentCall = createParamDecorator((_data: unknown, context: ExecutionContext): AgentCallInfo | undefined =>
  agentCallOf(context),
);

/** The same for guards, interceptors and filters. */
export function agentCallOf(context: ExecutionContext): AgentCallInfo | undefined {
  return toolCallOf(carrierOf(context))?.info;
}
