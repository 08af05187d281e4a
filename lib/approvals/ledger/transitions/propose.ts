import { ConversationError, type ApprovalRequestItem, type JournalItem } from '../../../conversations/index.js';
import { principalSnapshot } from '../../../common/index.js';
import type { ApprovalRecord, NewApproval } from '../approval-record.js';
import type { Proposal } from '../call-ledger.js';
import type { CallRecord, CallResult, NewCall } from '../call-record.js';

export interface ProposedRows {
  readonly calls: readonly CallRecord[];
  readonly approvals: readonly ApprovalRecord[];
  /** The proposal's, with the ends of its approvals by the store's clock. */
  readonly items: readonly JournalItem[];
}

/**
 * The rows that a proposal writes.
 * @throws ConversationError `journal_write_invalid` where calls and approvals do not fit together
 */
export function proposedRows(conversationId: string, proposal: Proposal, now: number): ProposedRows {
  const approvalOf = new Map(proposal.approvals.map((approval) => [approval.callId, approval]));
  checkProposal(proposal, approvalOf);
  const calls = proposal.calls.map((call) => callRecord(conversationId, call, approvalOf.get(call.callId), now));
  const approvals = calls.flatMap((call) => {
    const approval = approvalOf.get(call.callId);
    return approval === undefined ? [] : [approvalRecord(call, approval, now)];
  });
  return { calls, approvals, items: proposal.items.map((item) => withStoreTime(item, approvals)) };
}

export function refuseWrite(what: string): never {
  throw new ConversationError('journal_write_invalid', { parameters: { what } });
}

/** A result as it is kept: JSON, whatever it was made of. */
export function keptResult({ isError, content }: CallResult): CallResult {
  return { isError, content: JSON.parse(JSON.stringify(content ?? null)) as unknown };
}

function checkProposal({ calls, approvals }: Proposal, approvalOf: ReadonlyMap<string, NewApproval>): void {
  const ids = new Set(calls.map((call) => call.callId));
  if (ids.size < calls.length) refuseWrite('two calls of one id');
  if (approvalOf.size < approvals.length) refuseWrite('two approvals of one call');
  if (approvals.some((approval) => !ids.has(approval.callId)))
    refuseWrite('an approval of a call that is not proposed');
  for (const approval of approvals) checkApproval(approval);
  for (const call of calls) checkCall(call, approvalOf.has(call.callId));
}

function checkApproval({ quorum, expiresInMs }: NewApproval): void {
  if (!Number.isSafeInteger(quorum) || quorum < 1)
    refuseWrite('an approval whose `quorum` is no whole number from 1 on');
  if (!Number.isSafeInteger(expiresInMs) || expiresInMs < 1) {
    refuseWrite('an approval whose `expiresInMs` is no whole number from 1 on');
  }
}

function checkCall({ state, result }: NewCall, isGated: boolean): void {
  if ((state === 'waiting') !== isGated)
    refuseWrite('a call that waits without an approval, or has one and does not wait');
  if ((state === 'failed' || state === 'denied') !== (result !== undefined)) {
    refuseWrite('a call that has ended without a result, or has one and has not ended');
  }
}

function callRecord(conversationId: string, call: NewCall, approval: NewApproval | undefined, now: number): CallRecord {
  return {
    conversationId,
    callId: call.callId,
    runId: call.runId,
    step: call.step,
    index: call.index,
    agent: call.agent,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    arguments: call.arguments,
    argumentsHash: call.argumentsHash,
    idempotencyKey: call.idempotencyKey,
    isRepeatable: call.isRepeatable,
    state: call.state,
    approvalId: approval?.approvalId,
    originalArguments: undefined,
    attempts: 0,
    fence: undefined,
    result: call.result && keptResult(call.result),
    updatedAt: now,
  };
}

function approvalRecord(call: CallRecord, approval: NewApproval, now: number): ApprovalRecord {
  return {
    approvalId: approval.approvalId,
    callId: call.callId,
    reason: approval.reason,
    operation: approval.operation,
    requester: principalSnapshot(approval.requester),
    roles: [...approval.roles],
    mayRequesterDecide: approval.mayRequesterDecide,
    quorum: approval.quorum,
    conversationId: call.conversationId,
    runId: call.runId,
    agent: call.agent,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    arguments: call.arguments,
    argumentsHash: call.argumentsHash,
    originalArguments: undefined,
    state: 'pending',
    createdAt: now,
    expiresAt: now + approval.expiresInMs,
    decidedAt: undefined,
    votes: [],
  };
}

function withStoreTime(item: JournalItem, approvals: readonly ApprovalRecord[]): JournalItem {
  if (item.type !== 'approval_request') return item;
  const approval = approvals.find(({ approvalId }) => approvalId === item.approvalId);
  return approval === undefined ? item : ({ ...item, expiresAt: approval.expiresAt } satisfies ApprovalRequestItem);
}
