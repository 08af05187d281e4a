import { ConversationError } from '../../../conversations/index.js';
import type { ConversationState } from '../../../conversations/state/index.js';
import type { Row } from './database-types.js';
import { numberOf, optionalTextOf, principalOf, jsonOf, textOf, toColumn } from './row-values.js';
import type { StoreSession } from './store-session.js';

/** Milliseconds since the epoch by the server's clock, at the moment at which it is evaluated. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** A conversation that nobody else can change until the transaction ends. */
export interface LockedConversation {
  readonly state: ConversationState;
  /** The server's time after the lock was obtained, however long that took. */
  readonly now: number;
}

/** @throws ConversationError `conversation_unknown` */
export async function lockConversation(session: StoreSession, id: string): Promise<LockedConversation> {
  const locked = await lockWhere(session, 'id = $1', id);
  if (locked === undefined) throw new ConversationError('conversation_unknown');
  return locked;
}

/** The conversation that an approval belongs to. */
export function lockConversationOfApproval(
  session: StoreSession,
  approvalId: string,
): Promise<LockedConversation | undefined> {
  return lockWhere(session, 'id = (SELECT conversation_id FROM ~approvals WHERE approval_id = $1)', approvalId);
}

/** Every transaction takes this lock first, so that no two can wait for one another. */
async function lockWhere(session: StoreSession, where: string, value: string): Promise<LockedConversation | undefined> {
  const [row] = await session.run(
    `WITH locked AS MATERIALIZED (SELECT * FROM ~conversations WHERE ${where} FOR NO KEY UPDATE)
     SELECT locked.*, ${NOW} AS now FROM locked`,
    [toColumn(value)],
  );
  return row === undefined ? undefined : { state: stateOf(row), now: numberOf(row, 'now') };
}

export async function findConversation(session: StoreSession, id: string): Promise<ConversationState | undefined> {
  const [row] = await session.run('SELECT * FROM ~conversations WHERE id = $1', [toColumn(id)]);
  return row === undefined ? undefined : stateOf(row);
}

/** Does nothing where there is one of that id. */
export async function insertConversation(session: StoreSession, state: ConversationState): Promise<void> {
  await session.run(
    `INSERT INTO ~conversations (id, owner, created_at, updated_at, last_seq, fence, lease_ends_at, queued_seqs, pending_approvals)
     SELECT $1, $2, now, now, 0, 0, 0, '[]', 0 FROM (SELECT ${NOW} AS now) AS clock
     ON CONFLICT (id) DO NOTHING`,
    [toColumn(state.id), JSON.stringify(state.owner)],
  );
}

/** Saves what changed, and tells those who follow the journal where it grew. */
export async function saveConversation(
  session: StoreSession,
  before: ConversationState,
  after: ConversationState,
  channel: string | undefined,
): Promise<void> {
  if (after === before) return;
  const isTold = channel !== undefined && after.lastSeq > before.lastSeq;
  const told = isTold ? ' RETURNING pg_notify($10, $1)' : '';
  await session.run(
    `UPDATE ~conversations SET updated_at = $2, last_seq = $3, open_run_id = $4, fence = $5, holder = $6,
       lease_ends_at = $7, queued_seqs = $8, pending_approvals = $9 WHERE id = $1${told}`,
    [
      toColumn(after.id),
      after.updatedAt,
      after.lastSeq,
      after.openRunId === undefined ? null : toColumn(after.openRunId),
      after.fence,
      after.holder === undefined ? null : toColumn(after.holder),
      after.leaseEndsAt,
      JSON.stringify(after.queuedSeqs),
      after.pendingApprovals,
      ...(isTold ? [channel] : []),
    ],
  );
}

/** Those first that were written to or claimed the longest ago. The index that this reads holds no other conversations. */
export async function runnableConversations(session: StoreSession, limit: number): Promise<readonly string[]> {
  const rows = await session.run(
    `SELECT id FROM ~conversations WHERE pending_approvals = 0 AND (open_run_id IS NOT NULL OR queued_seqs <> '[]')
       AND (holder IS NULL OR lease_ends_at <= ${NOW}) ORDER BY updated_at LIMIT $1`,
    [limit],
  );
  return rows.map((row) => textOf(row, 'id'));
}

function stateOf(row: Row): ConversationState {
  return {
    id: textOf(row, 'id'),
    owner: principalOf(row, 'owner'),
    createdAt: numberOf(row, 'created_at'),
    updatedAt: numberOf(row, 'updated_at'),
    lastSeq: numberOf(row, 'last_seq'),
    openRunId: optionalTextOf(row, 'open_run_id'),
    fence: numberOf(row, 'fence'),
    holder: optionalTextOf(row, 'holder'),
    leaseEndsAt: numberOf(row, 'lease_ends_at'),
    queuedSeqs: jsonOf(row, 'queued_seqs') as number[],
    pendingApprovals: numberOf(row, 'pending_approvals'),
  };
}
