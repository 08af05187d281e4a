import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type HttpException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { toHttpException, type ErrorCode } from '../../common/index.js';
import { DispatchError } from '../dispatch-error.js';
import { agentCallOf } from './agent-call.js';

const AGENT_CALLS = Symbol.for('nestjs-palette:dispatch:AGENT_CALLS');

/** Keeps a route to people (`deny`) or to agents (`only`). The method's word holds over the class's. */
@Injectable()
export class AgentCallGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.reflector.getAllAndOverride<'deny' | 'only' | 'allow' | undefined>(AGENT_CALLS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const isAgentCall = agentCallOf(context) !== undefined;
    if (rule === 'deny' && isAgentCall) throw refused('agent_call_denied', context);
    if (rule === 'only' && !isAgentCall) throw refused('agent_call_required', context);
    return true;
  }
}

/** `deny`: no tool call reaches the route, whatever palette holds it. `only`: nothing but a tool call does. */
export function AgentCalls(rule: 'deny' | 'only' | 'allow'): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(AGENT_CALLS, rule), UseGuards(AgentCallGuard));
}

function refused(code: ErrorCode, context: ExecutionContext): HttpException {
  const operation = `${context.getClass().name}.${context.getHandler().name}`;
  return toHttpException(new DispatchError(code, { operation }));
}
