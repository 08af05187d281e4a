import { deepFreeze, principalSnapshot } from '../../common/index.js';
import type { AppendOutcome } from '../../conversations/index.js';
import { isLiveFence, isRunnable, withPendingApprovals } from '../../conversations/state/index.js';
import type {
  AgentStore,
  ApprovalFilter,
  ApprovalPage,
  ApprovalPageRequest,
  ApprovalRecord,
  CallFilter,
  CallRecord,
  CallSettlement,
  DecideOutcome,
  Decision,
  Proposal,
  Withdrawal,
} from '../ledger/index.js';
import {
  abandoned,
  claimed,
  expired,
  followed,
  givenUp,
  inCallOrder,
  isCallWanted,
  isWanted,
  judge,
  pageLimit,
  pagePosition,
  proposedRows,
  refuseWrite,
  settled,
  type ApprovalChange,
} from '../ledger/transitions/index.js';
import { InMemoryConversationStore } from './in-memory-conversation-store.js';
import type { MemoryConversation } from './memory-conversation.js';

/**
 * Journal and ledger in the memory of this process: for tests, and for applications of one process whose conversations may
 * end with it. Has no transactions to share.
 */
export class InMemoryAgentStore extends InMemoryConversationStore implements AgentStore {
  /** In the order in which they were asked for. */
  private readonly approvalRecords = new Map<string, ApprovalRecord>();

  async propose(conversationId: string, proposal: Proposal): Promise<AppendOutcome> {
    const conversation = this.conversation(conversationId);
    return this.write(conversation, proposal, () => {
      const { calls, approvals, items } = proposedRows(conversationId, proposal, this.now());
      if (calls.some(({ callId }) => conversation.calls.has(callId))) refuseWrite('a call whose id is taken');
      if (approvals.some(({ approvalId }) => this.approvalRecords.has(approvalId))) {
        refuseWrite('an approval whose id is taken');
      }
      for (const call of calls) keep(conversation, call);
      for (const approval of approvals) this.keepApproval(approval);
      conversation.state = withPendingApprovals(conversation.state, approvals.length);
      return items;
    });
  }

  async calls(conversationId: string, filter: CallFilter = {}): Promise<readonly CallRecord[]> {
    const { calls } = this.conversation(conversationId);
    return inCallOrder([...calls.values()]).filter((call) => isCallWanted(filter, call));
  }

  async claimCall(conversationId: string, callId: string, fence: number): Promise<CallRecord | undefined> {
    const conversation = this.conversation(conversationId);
    const call = conversation.calls.get(callId);
    if (call === undefined || !isLiveFence(conversation.state, fence, this.now())) return undefined;
    return keep(conversation, claimed(call, fence, this.now()));
  }

  async settleCall(settlement: CallSettlement): Promise<boolean> {
    const conversation = this.conversation(settlement.conversationId);
    const call = conversation.calls.get(settlement.callId);
    return call !== undefined && keep(conversation, settled(call, settlement, this.now())) !== undefined;
  }

  async abandonCalls(conversationId: string, fence: number): Promise<readonly CallRecord[]> {
    const conversation = this.conversation(conversationId);
    if (!isLiveFence(conversation.state, fence, this.now())) return [];
    const calls = inCallOrder([...conversation.calls.values()]);
    return calls.flatMap((call) => keep(conversation, abandoned(call, fence, this.now())) ?? []);
  }

  async decide(decision: Decision): Promise<DecideOutcome> {
    const before = this.approvalRecords.get(decision.approvalId);
    if (before === undefined) return { kind: 'unknown' };
    const { kind, approval } = judge(before, decision, this.now());
    if (approval !== before) this.follow(approval);
    return { kind, approval: this.approvalRecords.get(approval.approvalId) ?? approval };
  }

  async approval(approvalId: string): Promise<ApprovalRecord | undefined> {
    return this.approvalRecords.get(approvalId);
  }

  async approvals(filter: ApprovalFilter, page: ApprovalPageRequest = {}): Promise<ApprovalPage> {
    const [limit, position] = [pageLimit(page), pagePosition(page)];
    const rows = [...this.approvalRecords.values()].map((approval, index) => ({ approval, position: index + 1 }));
    const wanted = rows.filter((row) => row.position > position && isWanted(filter, row.approval));
    const shown = wanted.slice(0, limit);
    const next = wanted.length > limit ? String(shown.at(-1)?.position) : undefined;
    return { approvals: shown.map((row) => row.approval), next };
  }

  async withdraw({ conversationId, as, by, callIds }: Withdrawal): Promise<readonly CallRecord[]> {
    const conversation = this.conversation(conversationId);
    const calls = inCallOrder([...conversation.calls.values()]);
    return calls
      .filter(({ callId }) => callIds?.includes(callId) ?? true)
      .flatMap((call) => {
        const approval = this.pendingOf(call);
        if (approval === undefined && call.state !== 'ready') return [];
        if (approval === undefined) return keep(conversation, givenUp(call, as, this.now())) ?? [];
        return this.follow({ ...approval, state: as, decidedAt: this.now() }, by && principalSnapshot(by)).call;
      });
  }

  async expireApprovals(limit: number): Promise<readonly ApprovalRecord[]> {
    return [...this.approvalRecords.values()]
      .filter(({ state, expiresAt }) => state === 'pending' && expiresAt <= this.now())
      .sort((one, other) => one.expiresAt - other.expiresAt)
      .slice(0, limit)
      .map((approval) => this.follow(expired(approval, this.now())).approval);
  }

  async runnable(limit: number): Promise<readonly string[]> {
    return [...this.conversations.values()]
      .map(({ state }) => state)
      .filter((state) => isRunnable(state, this.now()))
      .sort((one, other) => one.updatedAt - other.updatedAt)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  async unknownCalls(limit: number): Promise<readonly CallRecord[]> {
    return [...this.conversations.values()]
      .flatMap(({ calls, acknowledged }) => [...calls.values()].filter(({ callId }) => !acknowledged.has(callId)))
      .filter(({ state }) => state === 'unknown')
      .sort((one, other) => one.updatedAt - other.updatedAt)
      .slice(0, limit);
  }

  async acknowledgeUnknown(conversationId: string, callId: string): Promise<boolean> {
    const { calls, acknowledged } = this.conversation(conversationId);
    if (calls.get(callId)?.state !== 'unknown' || acknowledged.has(callId)) return false;
    acknowledged.add(callId);
    return true;
  }

  /** Keeps a changed approval, and what follows for its call, its conversation and the journal. */
  private follow(after: ApprovalRecord, by?: ApprovalRecord['requester']): ApprovalChange {
    const conversation = this.conversation(after.conversationId);
    const before = conversation.calls.get(after.callId);
    if (before === undefined) refuseWrite('an approval of a call that is not there');
    const change = followed(after, before, this.now(), by);
    keep(conversation, change.call);
    this.keepApproval(change.approval);
    if (change.item !== undefined) {
      conversation.state = withPendingApprovals(conversation.state, -1);
      this.put(conversation, [change.item]);
    }
    return change;
  }

  private keepApproval(approval: ApprovalRecord): void {
    this.approvalRecords.set(approval.approvalId, deepFreeze(approval));
  }

  private pendingOf({ approvalId }: CallRecord): ApprovalRecord | undefined {
    const approval = approvalId === undefined ? undefined : this.approvalRecords.get(approvalId);
    return approval?.state === 'pending' ? approval : undefined;
  }
}

function keep(conversation: MemoryConversation, call: CallRecord | undefined): CallRecord | undefined {
  if (call !== undefined) conversation.calls.set(call.callId, deepFreeze(call));
  return call;
}
