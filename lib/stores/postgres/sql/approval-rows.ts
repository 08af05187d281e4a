import type {
  ApprovalFilter,
  ApprovalPage,
  ApprovalPageRequest,
  ApprovalRecord,
  ApprovalState,
  ApprovalVote,
} from '../../../approvals/ledger/index.js';
import { pageLimit, pagePosition, refuseWrite } from '../../../approvals/ledger/transitions/index.js';
import { NOW } from './conversation-rows.js';
import type { Row } from './database-types.js';
import { numberOf, optionalNumberOf, optionalTextOf, principalOf, jsonOf, textOf, toColumn } from './row-values.js';
import type { StoreSession } from './store-session.js';

/** An approval with what it says of its call, which the call's row keeps. */
const SELECT = `SELECT a.*, k.agent, k.tool_call_id, k.tool_name, k.arguments, k.arguments_hash, k.original_arguments
  FROM ~approvals AS a JOIN ~calls AS k ON k.conversation_id = a.conversation_id AND k.call_id = a.call_id`;

export async function findApproval(session: StoreSession, approvalId: string): Promise<ApprovalRecord | undefined> {
  const [row] = await session.run(`${SELECT} WHERE a.approval_id = $1`, [toColumn(approvalId)]);
  return row === undefined ? undefined : approvalOf(row);
}

export async function pendingApprovalsOf(
  session: StoreSession,
  conversationId: string,
): Promise<ReadonlyMap<string, ApprovalRecord>> {
  const rows = await session.run(`${SELECT} WHERE a.conversation_id = $1 AND a.state = 'pending'`, [
    toColumn(conversationId),
  ]);
  return new Map(rows.map((row) => [textOf(row, 'call_id'), approvalOf(row)]));
}

/**
 * The ids of what is past its time, that first whose time was over first. The clock is read once, in a query of its own: what
 * may differ from row to row cannot bound the scan of an index, and every pending approval would be read.
 */
export async function dueApprovals(session: StoreSession, limit: number): Promise<readonly string[]> {
  const rows = await session.run(
    `SELECT approval_id FROM ~approvals WHERE state = 'pending' AND expires_at <= (SELECT ${NOW}) ORDER BY expires_at LIMIT $1`,
    [limit],
  );
  return rows.map((row) => textOf(row, 'approval_id'));
}

export async function readApprovals(
  session: StoreSession,
  filter: ApprovalFilter,
  page: ApprovalPageRequest,
): Promise<ApprovalPage> {
  const limit = pageLimit(page);
  const parameters: unknown[] = [pagePosition(page), limit + 1];
  const wanted = Object.entries(columnsOf(filter)).flatMap(([column, value]) => {
    if (value === undefined) return [];
    parameters.push(toColumn(value));
    return [` AND a.${column} = $${parameters.length}`];
  });
  if (filter.states !== undefined) wanted.push(` AND a.state IN (${filter.states.map(literal).join(', ') || 'NULL'})`);
  const rows = await session.run(
    `${SELECT} WHERE a.position > $1${wanted.join('')} ORDER BY a.position LIMIT $2`,
    parameters,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? String(numberOf(last, 'position')) : undefined;
  return { approvals: shown.map(approvalOf), next };
}

/** @throws ConversationError `journal_write_invalid` where the id is taken */
export async function insertApproval(session: StoreSession, approval: ApprovalRecord): Promise<void> {
  const { requester } = approval;
  const inserted = await session.run(
    `INSERT INTO ~approvals (approval_id, conversation_id, call_id, run_id, operation, reason, requester, requester_subject,
       requester_tenant, roles, may_requester_decide, quorum, state, created_at, expires_at, votes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', $13, $14, '[]')
     ON CONFLICT DO NOTHING RETURNING approval_id`,
    [
      toColumn(approval.approvalId),
      toColumn(approval.conversationId),
      toColumn(approval.callId),
      toColumn(approval.runId),
      toColumn(approval.operation),
      toColumn(approval.reason),
      JSON.stringify(requester),
      toColumn(requester.subject),
      requester.tenant === undefined ? null : toColumn(requester.tenant),
      JSON.stringify(approval.roles),
      approval.mayRequesterDecide,
      approval.quorum,
      approval.createdAt,
      approval.expiresAt,
    ],
  );
  if (inserted.length === 0) refuseWrite('an approval whose id is taken');
}

/** Saves what can change about an approval; its arguments are its call's. */
export async function updateApproval(session: StoreSession, approval: ApprovalRecord): Promise<void> {
  await session.run('UPDATE ~approvals SET state = $2, decided_at = $3, votes = $4 WHERE approval_id = $1', [
    toColumn(approval.approvalId),
    approval.state,
    approval.decidedAt ?? null,
    JSON.stringify(approval.votes),
  ]);
}

function columnsOf({ conversationId, runId, operation, tenant, requester }: ApprovalFilter) {
  return {
    conversation_id: conversationId,
    run_id: runId,
    operation,
    requester_tenant: tenant,
    requester_subject: requester,
  };
}

const STATES: ReadonlySet<string> = new Set<ApprovalState>([
  'pending',
  'approved',
  'denied',
  'expired',
  'superseded',
  'cancelled',
]);

/** A state as a literal, for the planner to see which index fits; what is no state is in no row. */
function literal(state: string): string {
  return STATES.has(state) ? `'${state}'` : 'NULL';
}

function approvalOf(row: Row): ApprovalRecord {
  return {
    approvalId: textOf(row, 'approval_id'),
    callId: textOf(row, 'call_id'),
    reason: textOf(row, 'reason'),
    operation: textOf(row, 'operation'),
    requester: principalOf(row, 'requester'),
    roles: jsonOf(row, 'roles') as string[],
    mayRequesterDecide: row['may_requester_decide'] === true,
    quorum: numberOf(row, 'quorum'),
    conversationId: textOf(row, 'conversation_id'),
    runId: textOf(row, 'run_id'),
    agent: textOf(row, 'agent'),
    toolCallId: textOf(row, 'tool_call_id'),
    toolName: textOf(row, 'tool_name'),
    arguments: textOf(row, 'arguments'),
    argumentsHash: textOf(row, 'arguments_hash'),
    originalArguments: optionalTextOf(row, 'original_arguments'),
    state: row['state'] as ApprovalState,
    createdAt: numberOf(row, 'created_at'),
    expiresAt: numberOf(row, 'expires_at'),
    decidedAt: optionalNumberOf(row, 'decided_at'),
    votes: (jsonOf(row, 'votes') as Omit<ApprovalVote, 'comment'>[]).map((vote) => ({ comment: undefined, ...vote })),
  };
}
