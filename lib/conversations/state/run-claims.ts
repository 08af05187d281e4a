import type { RunClaim } from '../conversation-store.js';
import type { ConversationState } from './conversation-state.js';

/** Whether a write under this fence is let through: it is the last claim's, and its lease has not ended. */
export function isLiveFence(state: ConversationState, fence: number, now: number): boolean {
  return state.holder !== undefined && state.fence === fence && now < state.leaseEndsAt;
}

/** The state with a new claim; undefined while another holder's lease lasts. */
export function withClaim(
  state: ConversationState,
  holder: string,
  leaseMs: number,
  now: number,
): ConversationState | undefined {
  if (state.holder !== undefined && state.holder !== holder && now < state.leaseEndsAt) return undefined;
  return { ...state, fence: state.fence + 1, holder, leaseEndsAt: now + leaseMs, updatedAt: now };
}

/** The state with a later end of the lease; undefined where the claim was lost, which it is as soon as its lease ends. */
export function withRenewal(
  state: ConversationState,
  claim: RunClaim,
  leaseMs: number,
  now: number,
): ConversationState | undefined {
  if (state.holder !== claim.holder || !isLiveFence(state, claim.fence, now)) return undefined;
  return { ...state, leaseEndsAt: now + leaseMs };
}

/** The state without the claim; undefined where it is not the last one. */
export function withRelease(state: ConversationState, claim: RunClaim): ConversationState | undefined {
  if (state.holder !== claim.holder || state.fence !== claim.fence) return undefined;
  return { ...state, holder: undefined };
}

export function toRunClaim({ id, fence, holder = '', leaseEndsAt }: ConversationState): RunClaim {
  return { conversationId: id, holder, fence, expiresAt: leaseEndsAt };
}
