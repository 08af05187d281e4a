import { principalSnapshot } from '../../common/index.js';
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
} from '../../approvals/ledger/index.js';
import {
  abandoned,
  claimed,
  expired,
  followed,
  givenUp,
  judge,
  proposedRows,
  refuseWrite,
  settled,
  type ApprovalChange,
} from '../../approvals/ledger/transitions/index.js';
import type { AppendOutcome } from '../../conversations/index.js';
import { isLiveFence, withPendingApprovals } from '../../conversations/state/index.js';
import { transactionOf, withinTransaction } from './current-transaction.js';
import { PostgresConversationStore, put, write, type LockedWork } from './postgres-conversation-store.js';
import {
  dueApprovals,
  findApproval,
  insertApproval,
  pendingApprovalsOf,
  readApprovals,
  updateApproval,
} from './sql/approval-rows.js';
import {
  acknowledgeCall,
  callsIn,
  findCall,
  insertCall,
  readCalls,
  unknownCallRows,
  updateCall,
} from './sql/call-rows.js';
import { inSavepoint, inSharedTransaction, inTransaction } from './sql/connections.js';
import { lockConversationOfApproval, runnableConversations } from './sql/conversation-rows.js';
import { StoreSession } from './sql/store-session.js';

/**
 * Journal and ledger in PostgreSQL, over a pool of `pg` or a `DataSource` of TypeORM. Time is the server's. Every change
 * locks its conversation first, so that those of one conversation follow one another and none of them can deadlock.
 *
 * @throws AgentStoreError `store_not_migrated` from any method while the tables are not there
 */
export class PostgresAgentStore extends PostgresConversationStore implements AgentStore {
  propose(conversationId: string, proposal: Proposal): Promise<AppendOutcome> {
    return this.inConversation(conversationId, (work) =>
      write(work, proposal, async () => {
        const { calls, approvals, items } = proposedRows(conversationId, proposal, work.now);
        for (const call of calls) await insertCall(work.session, call, work.state.lastSeq + 1);
        for (const approval of approvals) await insertApproval(work.session, approval);
        work.state = withPendingApprovals(work.state, approvals.length);
        return items;
      }),
    );
  }

  calls(conversationId: string, filter: CallFilter = {}): Promise<readonly CallRecord[]> {
    return this.reading((session) => readCalls(session, conversationId, filter));
  }

  claimCall(conversationId: string, callId: string, fence: number): Promise<CallRecord | undefined> {
    return this.inConversation(conversationId, async ({ session, state, now }) => {
      if (!isLiveFence(state, fence, now)) return undefined;
      const call = await findCall(session, conversationId, callId);
      return keep(session, call && claimed(call, fence, now));
    });
  }

  async settleCall(settlement: CallSettlement): Promise<boolean> {
    const settle = async ({ session, now }: LockedWork) => {
      const call = await findCall(session, settlement.conversationId, settlement.callId);
      return (await keep(session, call && settled(call, settlement, now))) !== undefined;
    };
    const joined = transactionOf(this);
    if (joined === undefined) return this.inConversation(settlement.conversationId, settle);
    return this.lockedIn(new StoreSession(joined.client, this.names), settlement.conversationId, settle);
  }

  abandonCalls(conversationId: string, fence: number): Promise<readonly CallRecord[]> {
    return this.inConversation(conversationId, async ({ session, state, now }) => {
      if (!isLiveFence(state, fence, now)) return [];
      const executing = await callsIn(session, conversationId, ['executing']);
      return keepAll(
        session,
        executing.map((call) => abandoned(call, fence, now)),
      );
    });
  }

  async decide(decision: Decision): Promise<DecideOutcome> {
    const outcome = await this.inConversationOf(decision.approvalId, async (work, before) => {
      const { kind, approval } = judge(before, decision, work.now);
      if (approval !== before) await follow(work, approval);
      return { kind, approval };
    });
    return outcome ?? { kind: 'unknown' };
  }

  approval(approvalId: string): Promise<ApprovalRecord | undefined> {
    return this.reading((session) => findApproval(session, approvalId));
  }

  approvals(filter: ApprovalFilter, page: ApprovalPageRequest = {}): Promise<ApprovalPage> {
    return this.reading((session) => readApprovals(session, filter, page));
  }

  withdraw({ conversationId, as, by, callIds }: Withdrawal): Promise<readonly CallRecord[]> {
    return this.inConversation(conversationId, async (work) => {
      const { session, now } = work;
      const open = await callsIn(session, conversationId, ['waiting', 'ready']);
      const wanted = open.filter(({ callId }) => callIds?.includes(callId) ?? true);
      const pending = wanted.length === 0 ? new Map() : await pendingApprovalsOf(session, conversationId);
      const ended: CallRecord[] = [];
      for (const call of wanted) {
        const approval = pending.get(call.callId);
        if (approval === undefined) ended.push(...(await keepAll(session, [givenUp(call, as, now)])));
        else ended.push((await follow(work, { ...approval, state: as, decidedAt: now }, by)).call);
      }
      return ended;
    });
  }

  async expireApprovals(limit: number): Promise<readonly ApprovalRecord[]> {
    const due = await this.reading((session) => dueApprovals(session, limit));
    const ended: ApprovalRecord[] = [];
    // Each in a transaction of its own: to lock several conversations at once is to wait for one another.
    for (const approvalId of due) {
      const approval = await this.inConversationOf(approvalId, async (work, before) => {
        if (before.state !== 'pending' || before.expiresAt > work.now) return undefined;
        return (await follow(work, expired(before, work.now))).approval;
      });
      if (approval !== undefined) ended.push(approval);
    }
    return ended;
  }

  runnable(limit: number): Promise<readonly string[]> {
    // Whoever looks for these is who a push would have told.
    this.listener?.listenAgain();
    return this.reading((session) => runnableConversations(session, limit));
  }

  unknownCalls(limit: number): Promise<readonly CallRecord[]> {
    return this.reading((session) => unknownCallRows(session, limit));
  }

  acknowledgeUnknown(conversationId: string, callId: string, by: ApprovalRecord['requester']): Promise<boolean> {
    return this.inConversation(conversationId, ({ session, now }) =>
      acknowledgeCall(session, conversationId, callId, now, principalSnapshot(by)),
    );
  }

  /**
   * Runs `work` in a transaction, which `settleCall` within it joins, as does the handler by `currentTransaction()`. It
   * commits when `work` is done, and is taken back when it throws, whatever of it still runs then. Within another one of this
   * store it is part of that one, and is taken back by itself.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    const outer = transactionOf(this);
    if (outer === undefined) {
      return inSharedTransaction(this.database, (connection) => withinTransaction(this, connection, work));
    }
    return inSavepoint(outer.client, () => withinTransaction(this, outer, work));
  }

  /** Runs `work` with the approval as it stands, and its conversation locked; undefined where there is no such approval. */
  private inConversationOf<T>(
    approvalId: string,
    work: (locked: LockedWork, approval: ApprovalRecord) => Promise<T>,
  ): Promise<T | undefined> {
    return inTransaction(this.database, async ({ client }) => {
      const session = new StoreSession(client, this.names);
      const locked = await lockConversationOfApproval(session, approvalId);
      const approval = locked === undefined ? undefined : await findApproval(session, approvalId);
      if (locked === undefined || approval === undefined) return undefined;
      return this.saving({ session, ...locked }, (each) => work(each, approval));
    });
  }
}

/** Keeps a changed approval, and what follows for its call, its conversation and the journal. */
async function follow(
  work: LockedWork,
  after: ApprovalRecord,
  by?: ApprovalRecord['requester'],
): Promise<ApprovalChange> {
  const { session, now } = work;
  const call = await findCall(session, after.conversationId, after.callId);
  if (call === undefined) refuseWrite('an approval of a call that is not there');
  const change = followed(after, call, now, by && principalSnapshot(by));
  await updateCall(session, change.call);
  await updateApproval(session, change.approval);
  if (change.item !== undefined) {
    work.state = withPendingApprovals(work.state, -1);
    await put(work, [change.item]);
  }
  return change;
}

async function keep(session: StoreSession, call: CallRecord | undefined): Promise<CallRecord | undefined> {
  if (call !== undefined) await updateCall(session, call);
  return call;
}

async function keepAll(
  session: StoreSession,
  calls: readonly (CallRecord | undefined)[],
): Promise<readonly CallRecord[]> {
  const changed = calls.filter((call) => call !== undefined);
  for (const call of changed) await updateCall(session, call);
  return changed;
}
