import { endedResult, type AgentStore, type CallRecord, type Withdrawal } from '../../approvals/index.js';
import type { Principal } from '../../common/index.js';
import type { KeptClaim } from '../../conversations/index.js';
import { RunLost } from './run-journal.js';
import type { RunApprovals } from './run-context.js';
import type { OpenRun } from './run-state.js';

export interface CallClosing {
  readonly store: AgentStore;
  readonly conversationId: string;
  readonly claim: KeptClaim;
  readonly principal: Principal;
  readonly as: Withdrawal['as'];
  /** Who is told of what is withdrawn. */
  readonly approvals: RunApprovals | undefined;
}

/**
 * Brings every call of the open step to an end: what waits or is ready is withdrawn, and what runs without anybody at it is given
 * up. Yields them as they are then.
 * @throws RunLost
 */
export async function closeCalls(run: OpenRun, closing: CallClosing): Promise<readonly CallRecord[]> {
  const { store, conversationId, claim, principal, as, approvals } = closing;
  // A withdrawal asks for no claim: those of whoever holds the run now are theirs.
  if (!(await claim.confirm())) throw new RunLost('the claim of the conversation has ended');
  const callIds = run.openCalls.map(({ callId }) => callId);
  const withdrawn = await store.withdraw({ conversationId, as, by: principal, callIds });
  for (const call of withdrawn) await tellWithdrawn(call, as, store, approvals);
  const step = { runId: run.runId, step: run.step };
  const calls = await store.calls(conversationId, step);
  const left = calls.filter(({ state }) => state === 'executing');
  if (left.length === 0) return calls;
  for (const call of left) await giveUp(call, store, claim.fence);
  return store.calls(conversationId, step);
}

/** A call whose end could not be written down, or whose process died: it may have happened. */
async function giveUp(
  { conversationId, callId, isRepeatable }: CallRecord,
  store: AgentStore,
  fence: number,
): Promise<void> {
  // Yields nothing for a call of this very claim, which is settled all the same.
  await store.claimCall(conversationId, callId, fence);
  const state = isRepeatable ? 'cancelled' : 'unknown';
  const result = endedResult(isRepeatable ? 'interrupted' : 'unknown');
  await store.settleCall({ conversationId, callId, fence, state, result });
}

/** Of a call that waited; one that had been approved, or needed nobody, has nothing to tell of. */
async function tellWithdrawn(
  { approvalId }: CallRecord,
  as: Withdrawal['as'],
  store: AgentStore,
  approvals: RunApprovals | undefined,
): Promise<void> {
  const approval = approvalId === undefined ? undefined : await store.approval(approvalId);
  if (approval?.state === as) approvals?.events.decided(approval);
}
