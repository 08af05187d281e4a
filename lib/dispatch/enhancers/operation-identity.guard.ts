import { Injectable, NotFoundException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { OperationDescriptor } from '../../operations/index.js';
import { toolCallOf } from '../tool-call-state.js';

/**
 * Lets a tool call reach the operation it names and nothing else: whatever a path value did to the routing, a handler
 * that is not the operation's own answers 404. Plain requests pass.
 */
@Injectable()
export class OperationIdentityGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<object>();
    const call = toolCallOf(request);
    if (call === undefined) return true;
    call.request = request;
    call.identity = isHandlerOf(context, call.operation) ? 'confirmed' : 'mismatched';
    if (call.identity === 'mismatched') throw new NotFoundException();
    return true;
  }
}

/** Tracing libraries wrap handlers and keep their name, hence the second look within the same class. */
function isHandlerOf(context: ExecutionContext, operation: OperationDescriptor): boolean {
  const handler = context.getHandler() as unknown as { readonly name: string };
  return (
    context.getClass() === operation.controller &&
    (handler === (operation.handler as unknown) || handler.name === operation.methodName)
  );
}
