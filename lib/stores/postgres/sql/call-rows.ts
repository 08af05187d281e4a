import type { CallFilter, CallRecord, CallResult, CallState } from '../../../approvals/ledger/index.js';
import { refuseWrite } from '../../../approvals/ledger/transitions/index.js';
import { ConversationError } from '../../../conversations/index.js';
import type { Row } from './database-types.js';
import { numberOf, optionalNumberOf, optionalTextOf, jsonOf, textOf, toColumn } from './row-values.js';
import type { StoreSession } from './store-session.js';

/** @throws ConversationError `conversation_unknown` */
export async function readCalls(
  session: StoreSession,
  conversationId: string,
  { runId, step, states }: CallFilter,
): Promise<readonly CallRecord[]> {
  // As in `readEntries`: the row without a call says that the conversation is there.
  const rows = await session.run(
    `SELECT k.* FROM ~conversations AS c LEFT JOIN ~calls AS k ON k.conversation_id = c.id
       AND ($2::text IS NULL OR k.run_id = $2) AND ($3::integer IS NULL OR k.step = $3)
       AND ($4::text[] IS NULL OR k.state = ANY ($4))
     WHERE c.id = $1 ORDER BY k.run_seq, k.step, k.place`,
    [toColumn(conversationId), runId === undefined ? null : toColumn(runId), step ?? null, states ?? null],
  );
  if (rows.length === 0) throw new ConversationError('conversation_unknown');
  return rows.filter((row) => row['call_id'] !== null).map(callOf);
}

/** In order of run, step and index. */
export async function callsIn(
  session: StoreSession,
  conversationId: string,
  states: readonly CallState[],
): Promise<readonly CallRecord[]> {
  // Literals, for the planner to see that these are the open calls, which have an index of their own.
  const wanted = states.map((state) => `'${state}'`).join(', ');
  const rows = await session.run(
    `SELECT * FROM ~calls WHERE conversation_id = $1 AND state IN (${wanted}) ORDER BY run_seq, step, place`,
    [toColumn(conversationId)],
  );
  return rows.map(callOf);
}

export async function findCall(
  session: StoreSession,
  conversationId: string,
  callId: string,
): Promise<CallRecord | undefined> {
  const [row] = await session.run('SELECT * FROM ~calls WHERE conversation_id = $1 AND call_id = $2', [
    toColumn(conversationId),
    toColumn(callId),
  ]);
  return row === undefined ? undefined : callOf(row);
}

export async function unknownCallRows(session: StoreSession, limit: number): Promise<readonly CallRecord[]> {
  const rows = await session.run(
    `SELECT * FROM ~calls WHERE state = 'unknown' AND acknowledged_at IS NULL ORDER BY updated_at LIMIT $1`,
    [limit],
  );
  return rows.map(callOf);
}

/**
 * @param seq the first of the entries that propose it; a run's calls are ordered by the first of theirs
 * @throws ConversationError `journal_write_invalid` where the id is taken
 */
export async function insertCall(session: StoreSession, call: CallRecord, seq: number): Promise<void> {
  const inserted = await session.run(
    `INSERT INTO ~calls (conversation_id, call_id, run_id, run_seq, step, place, agent, tool_call_id, tool_name, arguments,
       arguments_hash, idempotency_key, is_repeatable, state, approval_id, attempts, result, updated_at)
     VALUES ($1, $2, $3,
       coalesce((SELECT min(run_seq) FROM ~calls WHERE conversation_id = $1 AND run_id = $3), $4),
       $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, $16, $17)
     ON CONFLICT DO NOTHING RETURNING call_id`,
    [
      toColumn(call.conversationId),
      toColumn(call.callId),
      toColumn(call.runId),
      seq,
      call.step,
      call.index,
      toColumn(call.agent),
      toColumn(call.toolCallId),
      toColumn(call.toolName),
      toColumn(call.arguments),
      toColumn(call.argumentsHash),
      toColumn(call.idempotencyKey),
      call.isRepeatable,
      call.state,
      call.approvalId === undefined ? null : toColumn(call.approvalId),
      call.result === undefined ? null : JSON.stringify(call.result),
      call.updatedAt,
    ],
  );
  if (inserted.length === 0) refuseWrite('a call whose id is taken');
}

/** Saves what can change about a call. */
export async function updateCall(session: StoreSession, call: CallRecord): Promise<void> {
  await session.run(
    `UPDATE ~calls SET arguments = $3, arguments_hash = $4, original_arguments = $5, state = $6, attempts = $7, fence = $8,
       result = $9, updated_at = $10 WHERE conversation_id = $1 AND call_id = $2`,
    [
      toColumn(call.conversationId),
      toColumn(call.callId),
      toColumn(call.arguments),
      toColumn(call.argumentsHash),
      call.originalArguments === undefined ? null : toColumn(call.originalArguments),
      call.state,
      call.attempts,
      call.fence ?? null,
      call.result === undefined ? null : JSON.stringify(call.result),
      call.updatedAt,
    ],
  );
}

/** Whether there was an unknown call that nobody had looked at. */
export async function acknowledgeCall(
  session: StoreSession,
  conversationId: string,
  callId: string,
  now: number,
  by: unknown,
): Promise<boolean> {
  const rows = await session.run(
    `UPDATE ~calls SET acknowledged_at = $3, acknowledged_by = $4 WHERE conversation_id = $1 AND call_id = $2
       AND state = 'unknown' AND acknowledged_at IS NULL RETURNING call_id`,
    [toColumn(conversationId), toColumn(callId), now, JSON.stringify(by)],
  );
  return rows.length > 0;
}

function callOf(row: Row): CallRecord {
  return {
    conversationId: textOf(row, 'conversation_id'),
    callId: textOf(row, 'call_id'),
    runId: textOf(row, 'run_id'),
    step: numberOf(row, 'step'),
    index: numberOf(row, 'place'),
    agent: textOf(row, 'agent'),
    toolCallId: textOf(row, 'tool_call_id'),
    toolName: textOf(row, 'tool_name'),
    arguments: textOf(row, 'arguments'),
    argumentsHash: textOf(row, 'arguments_hash'),
    idempotencyKey: textOf(row, 'idempotency_key'),
    isRepeatable: row['is_repeatable'] === true,
    state: row['state'] as CallState,
    approvalId: optionalTextOf(row, 'approval_id'),
    originalArguments: optionalTextOf(row, 'original_arguments'),
    attempts: numberOf(row, 'attempts'),
    fence: optionalNumberOf(row, 'fence'),
    result: row['result'] === null ? undefined : (jsonOf(row, 'result') as CallResult),
    updatedAt: numberOf(row, 'updated_at'),
  };
}
