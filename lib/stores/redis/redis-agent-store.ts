import { randomUUID } from 'node:crypto';
import type { Principal } from '../../common/index.js';
import {
  endedResult,
  type AgentStore,
  type ApprovalFilter,
  type ApprovalPage,
  type ApprovalPageRequest,
  type ApprovalRecord,
  type CallFilter,
  type CallRecord,
  type CallSettlement,
  type DecideOutcome,
  type Decision,
  type Proposal,
  type Withdrawal,
} from '../../approvals/ledger/index.js';
import { isCallWanted, pageLimit, pagePosition, proposedRows } from '../../approvals/ledger/transitions/index.js';
import type { AppendOutcome } from '../../conversations/index.js';
import { DECIDE, EXPIRE_APPROVALS, READ_APPROVAL, READ_APPROVALS } from './lua/approval-scripts.js';
import {
  ABANDON_CALLS,
  ACKNOWLEDGE_UNKNOWN,
  CLAIM_CALL,
  READ_CALLS,
  SETTLE_CALL,
  UNKNOWN_CALLS,
  WITHDRAW,
} from './lua/call-scripts.js';
import { RUNNABLE } from './lua/claim-scripts.js';
import { RedisConversationStore, type WriteInput } from './redis-conversation-store.js';
import { approvalInput, approvalOf, approvalsOf, decisionInput, filterInput } from './values/approvals.js';
import { callInput, callOf, callsOf, resultText } from './values/calls.js';
import { itemInput, principalText } from './values/conversations.js';
import { fromText, toOptionalText, toText } from './values/texts.js';

/** How many approvals one script looks at, or expires: Redis does nothing else meanwhile. */
const LOOKED_AT = 1000;
const EXPIRED_AT_ONCE = 100;

/**
 * Journal and ledger in Redis, over an application's client of `ioredis`. Each transition is one script, which Redis runs in
 * one go and by its own clock. Has no transactions to share. Nothing that it keeps goes of itself: see `forgetConversation`.
 */
export class RedisAgentStore extends RedisConversationStore implements AgentStore {
  async propose(conversationId: string, proposal: Proposal): Promise<AppendOutcome> {
    const { input, fault } = writeInput(conversationId, proposal);
    return this.write(conversationId, input, fault);
  }

  async calls(conversationId: string, filter: CallFilter = {}): Promise<readonly CallRecord[]> {
    const { runId, step, states } = filter;
    const input = { conversationId: toText(conversationId), runId: toOptionalText(runId), step, states };
    const [, rows] = await this.scripts.run(READ_CALLS, input);
    return callsOf(rows).filter((call) => isCallWanted(filter, call));
  }

  async claimCall(conversationId: string, callId: string, fence: number): Promise<CallRecord | undefined> {
    const ids = { conversationId: toText(conversationId), callId: toText(callId) };
    const [kind, row] = await this.scripts.run(CLAIM_CALL, { ...ids, fence, attempt: randomUUID() });
    return kind === 'call' ? callOf(row) : undefined;
  }

  async settleCall({ conversationId, callId, fence, state, result }: CallSettlement): Promise<boolean> {
    const [kind] = await this.scripts.run(SETTLE_CALL, {
      conversationId: toText(conversationId),
      callId: toText(callId),
      fence,
      state,
      result: resultText(result),
      attempt: randomUUID(),
    });
    return kind === 'settled';
  }

  async abandonCalls(conversationId: string, fence: number): Promise<readonly CallRecord[]> {
    const input = { conversationId: toText(conversationId), fence, result: resultText(endedResult('unknown')) };
    const [, rows] = await this.scripts.run(ABANDON_CALLS, input);
    return callsOf(rows);
  }

  async decide(decision: Decision): Promise<DecideOutcome> {
    const [kind, row] = await this.scripts.run(DECIDE, decisionInput(decision));
    if (kind === 'unknown') return { kind };
    return { kind: kind as Exclude<DecideOutcome['kind'], 'unknown'>, approval: approvalOf(row) };
  }

  async approval(approvalId: string): Promise<ApprovalRecord | undefined> {
    const [kind, row] = await this.scripts.run(READ_APPROVAL, { approvalId: toText(approvalId) });
    return kind === 'approval' ? approvalOf(row) : undefined;
  }

  async approvals(filter: ApprovalFilter, page: ApprovalPageRequest = {}): Promise<ApprovalPage> {
    const [limit, wanted] = [pageLimit(page), filterInput(filter)];
    const found: (readonly [position: string, row: unknown])[] = [];
    let after = pagePosition(page);
    do {
      // One more than is shown tells whether there are more.
      const input = { ...wanted, after, limit: limit + 1 - found.length, batch: LOOKED_AT };
      const [, rows, last] = await this.scripts.run(READ_APPROVALS, input);
      found.push(...(rows as typeof found));
      after = Number(last);
    } while (after > 0);
    const shown = found.slice(0, limit);
    const next = found.length > limit ? shown.at(-1)?.[0] : undefined;
    return { approvals: approvalsOf(shown.map(([, row]) => row)), next };
  }

  async withdraw({ conversationId, as, by, callIds }: Withdrawal): Promise<readonly CallRecord[]> {
    const [, rows] = await this.scripts.run(WITHDRAW, {
      conversationId: toText(conversationId),
      as,
      by: by && principalText(by),
      result: resultText(endedResult(as)),
      callIds: callIds?.map(toText),
    });
    return callsOf(rows);
  }

  async expireApprovals(limit: number): Promise<readonly ApprovalRecord[]> {
    const ended: ApprovalRecord[] = [];
    const result = resultText(endedResult('expired'));
    for (let asked = 0, found = 0; found === asked && ended.length < limit;) {
      asked = Math.min(limit - ended.length, EXPIRED_AT_ONCE);
      const [, rows] = await this.scripts.run(EXPIRE_APPROVALS, { limit: asked, result });
      const approvals = approvalsOf(rows);
      found = approvals.length;
      ended.push(...approvals);
    }
    return ended;
  }

  async runnable(limit: number): Promise<readonly string[]> {
    // Whoever looks for these is who a push would have told.
    this.subscriber?.listen();
    const [, ids] = await this.scripts.run(RUNNABLE, { limit });
    return (ids as readonly string[]).map(fromText);
  }

  async unknownCalls(limit: number): Promise<readonly CallRecord[]> {
    const [, rows] = await this.scripts.run(UNKNOWN_CALLS, { limit });
    return callsOf(rows);
  }

  async acknowledgeUnknown(conversationId: string, callId: string, by: Principal): Promise<boolean> {
    const input = { conversationId: toText(conversationId), callId: toText(callId), by: principalText(by) };
    const [kind] = await this.scripts.run(ACKNOWLEDGE_UNKNOWN, input);
    return kind === 'acknowledged';
  }
}

/** A proposal as its script takes it; without rows, and with the fault, where these do not fit together. */
function writeInput(conversationId: string, proposal: Proposal): { input: WriteInput; fault?: unknown } {
  const { expectedSeq, fence, operationId, items } = proposal;
  const head = { expectedSeq, fence, operationId };
  try {
    // Times are the server's: these are only for the length of what is between them.
    const { calls, approvals } = proposedRows(conversationId, proposal, 0);
    const endOf = new Map(approvals.map(({ approvalId, expiresAt }) => [approvalId, expiresAt]));
    const expiryOf = (item: (typeof items)[number]) =>
      item.type === 'approval_request' ? endOf.get(item.approvalId) : undefined;
    const rows = { calls: calls.map(callInput), approvals: approvals.map(approvalInput) };
    return { input: { ...head, ...rows, items: items.map((item) => itemInput(item, expiryOf(item))) } };
  } catch (fault) {
    return { input: { ...head, items: items.map((item) => itemInput(item)), calls: [], approvals: [] }, fault };
  }
}
