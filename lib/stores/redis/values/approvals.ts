import {
  endedResult,
  type ApprovalFilter,
  type ApprovalRecord,
  type ApprovalState,
  type ApprovalVote,
  type Decision,
} from '../../../approvals/ledger/index.js';
import { callOf, resultText } from './calls.js';
import { principalText, whoIs } from './conversations.js';
import { fieldOf, hashOf, jsonOf, numberOf, optionalNumberOf } from './hash.js';
import { toOptionalText, toText } from './texts.js';

/** An approval that is asked for, as a script takes it. What never changes is one field, what scripts look at are others. */
export function approvalInput(approval: ApprovalRecord) {
  const { approvalId, callId, conversationId, runId, operation, requester, quorum } = approval;
  const { reason, roles, mayRequesterDecide } = approval;
  const fields: Record<string, string> = {
    approval: JSON.stringify({ approvalId, reason, operation, requester, roles, mayRequesterDecide, quorum }),
    conversationId: toText(conversationId),
    callId: toText(callId),
    runId: toText(runId),
    operation: toText(operation),
    quorum: String(quorum),
    requester: toText(requester.subject),
    ...(requester.tenant === undefined ? {} : { tenant: toText(requester.tenant) }),
  };
  const expiresInMs = approval.expiresAt - approval.createdAt;
  return { approvalId: toText(approvalId), expiresInMs, fields: Object.entries(fields).flat() };
}

/** A decision as the script takes it, with what follows from each way in which it may end. */
export function decisionInput({ approvalId, verdict, by, argumentsHash, comment, edited }: Decision) {
  const wanted = verdict === 'approve' ? edited : undefined;
  const wantedHash = toText(wanted?.argumentsHash ?? argumentsHash);
  const vote = { by: JSON.parse(principalText(by)) as unknown, verdict, comment };
  return {
    approvalId: toText(approvalId),
    who: whoIs(by),
    by: principalText(by),
    verdict,
    argumentsHash: toText(argumentsHash),
    wantedHash,
    edited: toOptionalText(wanted?.arguments),
    vote: JSON.stringify({ ...vote, argumentsHash: wanted?.argumentsHash ?? argumentsHash }),
    comment: comment === undefined ? undefined : JSON.stringify(comment),
    results: {
      expired: resultText(endedResult('expired')),
      denied: resultText(endedResult('denied', comment)),
    },
  };
}

/** What of a filter the script compares field by field; the rest chooses the list that it reads. */
export function filterInput({ states, conversationId, runId, operation, tenant, requester }: ApprovalFilter) {
  return {
    states,
    isPending: states !== undefined && states.every((state) => state === 'pending'),
    conversationId: toOptionalText(conversationId),
    wanted: {
      runId: toOptionalText(runId),
      operation: toOptionalText(operation),
      tenant: toOptionalText(tenant),
      requester: toOptionalText(requester),
    },
  };
}

/** Of the approval's fields, its call's, and four texts a vote. */
export function approvalOf(row: unknown): ApprovalRecord {
  const [fields, callRow, votes] = row as readonly [unknown, unknown, readonly string[]];
  const hash = hashOf(fields);
  const { conversationId, callId, runId, agent, toolCallId, toolName, ...call } = callOf(callRow);
  return {
    ...(jsonOf(hash, 'approval') as ApprovalRecord),
    conversationId,
    callId,
    runId,
    agent,
    toolCallId,
    toolName,
    arguments: call.arguments,
    argumentsHash: call.argumentsHash,
    originalArguments: call.originalArguments,
    state: fieldOf(hash, 'state') as ApprovalState,
    createdAt: numberOf(hash, 'createdAt'),
    expiresAt: numberOf(hash, 'expiresAt'),
    decidedAt: optionalNumberOf(hash, 'decidedAt'),
    votes: votes.filter((_, index) => index % 4 === 3).map(voteOf),
  };
}

/** Of a reply `approvals`. */
export function approvalsOf(rows: unknown): readonly ApprovalRecord[] {
  return (rows as readonly unknown[]).map(approvalOf);
}

function voteOf(text: string): ApprovalVote {
  return { comment: undefined, ...(JSON.parse(text) as Omit<ApprovalVote, 'comment'>) };
}
