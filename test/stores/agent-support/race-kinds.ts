import type { AgentStore, DecideOutcome, Decision } from '../../../lib/approvals/ledger/index.js';

/** What one of the two processes does to a pending approval. */
export type RaceAct = 'approve' | 'deny' | 'expire' | 'cancel' | 'supersede';

/** Two processes at one approval: what each does. */
export const RACES: readonly (readonly [RaceAct, RaceAct])[] = [
  ['approve', 'approve'],
  ['approve', 'deny'],
  ['approve', 'expire'],
  ['approve', 'cancel'],
  ['approve', 'supersede'],
];

/** What a process is told to do. */
export interface RaceOrder {
  readonly id: number;
  readonly act: RaceAct;
  readonly delayMs: number;
  readonly person: string;
  readonly conversationId: string;
  readonly approvalId: string;
  readonly callId: string;
  readonly fence: number;
}

/** What came of it. */
export interface RaceReport {
  readonly id: number;
  /** Of a decision. */
  readonly decision: DecideOutcome | undefined;
  /** The calls that a withdrawal ended. */
  readonly withdrawn: readonly string[];
  readonly hasClaimed: boolean;
  readonly error: string | undefined;
}

/** Acts, and then tries to run the call. */
export async function carryOut(store: AgentStore, order: RaceOrder): Promise<RaceReport> {
  const { id, act, conversationId, callId, fence } = order;
  await new Promise((resolve) => setTimeout(resolve, order.delayMs));
  let decision: DecideOutcome | undefined;
  let withdrawn: readonly string[] = [];
  if (act === 'approve' || act === 'deny') decision = await store.decide(decisionOf(order));
  else if (act === 'expire') await store.expireApprovals(100);
  else {
    const as = act === 'cancel' ? 'cancelled' : 'superseded';
    withdrawn = (await store.withdraw({ conversationId, as, by: { subject: order.person } })).map(
      (call) => call.callId,
    );
  }
  const hasClaimed = (await store.claimCall(conversationId, callId, fence)) !== undefined;
  return { id, decision, withdrawn, hasClaimed, error: undefined };
}

function decisionOf({ act, approvalId, person }: RaceOrder): Decision {
  const verdict = act === 'deny' ? 'deny' : 'approve';
  return { approvalId, verdict, by: { subject: person }, argumentsHash: 'hash' };
}
