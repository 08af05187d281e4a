import { ConversationError, type JournalEntry, type JournalRange } from '../../../conversations/index.js';
import { upgradeEntry } from '../../../conversations/upgrade-entry.js';
import type { Row } from './database-types.js';
import { jsonOf, numberOf, toColumn } from './row-values.js';
import type { StoreSession } from './store-session.js';

/**
 * @throws ConversationError `conversation_unknown` and `journal_version_unknown`
 */
export async function readEntries(
  session: StoreSession,
  conversationId: string,
  { fromSeq = 1, limit }: JournalRange,
): Promise<readonly JournalEntry[]> {
  // A row without an entry tells a conversation where there is nothing to read from one that is not there.
  const rows = await session.run(
    `SELECT e.seq, e.at, e.schema_version, e.item FROM ~conversations AS c
     LEFT JOIN ~entries AS e ON e.conversation_id = c.id AND e.seq >= $2
     WHERE c.id = $1 ORDER BY e.seq LIMIT $3`,
    [toColumn(conversationId), fromSeq, limit === undefined ? null : Math.max(limit, 1)],
  );
  if (rows.length === 0) throw new ConversationError('conversation_unknown');
  const written = rows.filter((row) => row['seq'] !== null).slice(0, limit);
  return written.map((row) => entryOf(conversationId, row));
}

export async function insertEntries(session: StoreSession, entries: readonly JournalEntry[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  await session.run(
    `INSERT INTO ~entries (conversation_id, seq, at, schema_version, item)
     SELECT $1, $2::integer + place - 1, $3, $4, item FROM unnest($5::text[]) WITH ORDINALITY AS items (item, place)`,
    [
      toColumn(first.conversationId),
      first.seq,
      first.at,
      first.schemaVersion,
      entries.map(({ item }) => JSON.stringify(item)),
    ],
  );
}

/** The entries that an operation wrote; undefined where it was not done. */
export async function entriesOfOperation(
  session: StoreSession,
  conversationId: string,
  operationId: string,
): Promise<readonly JournalEntry[] | undefined> {
  const [row] = await session.run(
    'SELECT first_seq, entries FROM ~operations WHERE conversation_id = $1 AND operation_id = $2',
    [toColumn(conversationId), toColumn(operationId)],
  );
  if (row === undefined) return undefined;
  const range = { fromSeq: numberOf(row, 'first_seq'), limit: numberOf(row, 'entries') };
  return readEntries(session, conversationId, range);
}

export async function insertOperation(
  session: StoreSession,
  conversationId: string,
  operationId: string,
  firstSeq: number,
  entries: number,
): Promise<void> {
  await session.run(
    'INSERT INTO ~operations (conversation_id, operation_id, first_seq, entries) VALUES ($1, $2, $3, $4)',
    [toColumn(conversationId), toColumn(operationId), firstSeq, entries],
  );
}

function entryOf(conversationId: string, row: Row): JournalEntry {
  return upgradeEntry({
    conversationId,
    seq: numberOf(row, 'seq'),
    at: numberOf(row, 'at'),
    schemaVersion: numberOf(row, 'schema_version'),
    item: jsonOf(row, 'item'),
  });
}
