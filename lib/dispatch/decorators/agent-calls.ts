import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { toHttpException, type ErrorCode } from '../../common/index.js';
import { DispatchError } from '../dispatch-error.js';
import { carrierOf, toolCallOf, type ToolCallState } from '../tool-call-state.js';

const AGENT_CALLS = Symbol.for('nestjs-palette:dispatch:AGENT_CALLS');

/** Keeps a route or a message handler to people (`deny`) or to agents (`only`). The method's word holds over the class's. */
@Injectable()
export class AgentCallGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.reflector.getAllAndOverride<'deny' | 'only' | 'allow' | undefined>(AGENT_CALLS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const call = toolCallOf(carrierOf(context));
    if (rule === 'deny' && call !== undefined) return refuse('agent_call_denied', context, call);
    return rule !== 'only' || call !== undefined || refuse('agent_call_required', context, call);
  }
}

/** `deny`: no tool call reaches the handler, whatever palette holds it. `only`: nothing but a tool call does. */
export function AgentCalls(rule: 'deny' | 'only' | 'allow'): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(AGENT_CALLS, rule), UseGuards(AgentCallGuard));
}

/**
 * Says no in a way that arrives. Nest masks every `HttpException` of a message handler: there the dispatcher reads the code
 * from the call itself, and a peer is told what it is told of every guard that says no.
 */
function refuse(code: ErrorCode, context: ExecutionContext, call: ToolCallState | undefined): false {
  if (context.getType() === 'rpc') {
    if (call !== undefined) call.refusedAs = code;
    return false;
  }
  const operation = `${context.getClass().name}.${context.getHandler().name}`;
  throw toHttpException(new DispatchError(code, { operation }));
}
