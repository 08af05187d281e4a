import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { confirmIdentity, toolCallOf } from '../tool-call-state.js';

/**
 * Stands on each message operation itself. A microservice that was connected without the application's configuration runs
 * none of its global guards, ours included: then this one checks identity, and lets nothing through that the application's
 * own global enhancers should have seen.
 */
@Injectable()
export class MessageIdentityGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = context.getType() === 'rpc' ? toolCallOf(context.switchToRpc().getContext()) : undefined;
    if (call === undefined) return true;
    if (call.needsGlobalEnhancers && !call.hasPassedGlobalGuard) {
      call.areEnhancersSkipped = true;
      return false;
    }
    return confirmIdentity(call, context);
  }
}

/** One for all: it knows nothing but the call it is asked about. */
export const MESSAGE_IDENTITY_GUARD = new MessageIdentityGuard();
