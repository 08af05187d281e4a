import { Injectable, NotFoundException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { carrierOf, confirmIdentity, toolCallOf } from '../tool-call-state.js';

/**
 * Lets a tool call reach the operation it names and nothing else: whatever a path value did to the routing, a handler
 * that is not the operation's own answers 404. Whatever is no tool call passes.
 */
@Injectable()
export class OperationIdentityGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = carrierOf(context);
    const call = toolCallOf(request);
    if (call === undefined) return true;
    if (request !== undefined) call.request = request;
    call.hasPassedGlobalGuard = true;
    if (!confirmIdentity(call, context)) throw new NotFoundException();
    return true;
  }
}
