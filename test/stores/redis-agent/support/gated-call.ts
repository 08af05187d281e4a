import { randomUUID } from 'node:crypto';
import type { RedisAgentStore } from 'nestjs-palette/redis';
import type { ClaimedCall } from '../../agent-support/claimed-call.js';

const ALICE = { subject: 'alice' };

export interface GatedCall extends ClaimedCall {
  readonly approvalId: string;
}

/** A call that waits for its decision, in a conversation of its own, beside nothing else. */
export async function gatedCall(store: RedisAgentStore, expiresInMs = 600_000): Promise<GatedCall> {
  const { id: conversationId } = await store.open(randomUUID(), ALICE);
  const claim = await store.claimRun(conversationId, 'replica', 600_000);
  const [callId, approvalId, fence] = [randomUUID(), randomUUID(), claim?.fence ?? 0];
  const call = { callId, runId: 'run', step: 1, index: 0, agent: 'support', toolCallId: 't', toolName: 'refund' };
  const text = { arguments: '{}', argumentsHash: 'hash', idempotencyKey: callId, isRepeatable: false };
  const asked = { approvalId, callId, reason: 'moves money', operation: 'refund', requester: ALICE };
  const policy = { roles: [], mayRequesterDecide: false, quorum: 1, expiresInMs };
  await store.propose(conversationId, {
    expectedSeq: 0,
    fence,
    items: [
      { type: 'run_started', runId: 'run', agent: 'support', principal: ALICE },
      { type: 'approval_request', runId: 'run', callId, approvalId, toolName: 'refund', reason: 'money', expiresAt: 0 },
    ],
    calls: [{ ...call, ...text, state: 'waiting' }],
    approvals: [{ ...asked, ...policy }],
  });
  return { conversationId, callId, fence, approvalId };
}
