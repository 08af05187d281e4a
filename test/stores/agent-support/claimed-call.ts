import { randomUUID } from 'node:crypto';
import type { AgentStore } from 'nestjs-palette';

export interface ClaimedCall {
  readonly conversationId: string;
  readonly callId: string;
  readonly fence: number;
}

/** A call that executes, in a conversation of its own. */
export async function claimedCall(store: AgentStore): Promise<ClaimedCall> {
  const { conversationId, callId, fence } = await readyCall(store);
  await store.claimCall(conversationId, callId, fence);
  return { conversationId, callId, fence };
}

/** A call that is ready, in a conversation of its own. */
export async function readyCall(store: AgentStore): Promise<ClaimedCall> {
  const { id: conversationId } = await store.open(randomUUID(), { subject: 'alice' });
  const claim = await store.claimRun(conversationId, 'replica', 600_000);
  const [callId, fence] = [randomUUID(), claim?.fence ?? 0];
  const call = { callId, runId: 'run', step: 1, index: 0, agent: 'support', toolCallId: 't', toolName: 'refund' };
  const text = { arguments: '{}', argumentsHash: 'hash', idempotencyKey: callId, isRepeatable: true };
  await store.propose(conversationId, {
    expectedSeq: 0,
    fence,
    items: [{ type: 'run_started', runId: 'run', agent: 'support', principal: { subject: 'alice' } }],
    calls: [{ ...call, ...text, state: 'ready' }],
    approvals: [],
  });
  return { conversationId, callId, fence };
}
