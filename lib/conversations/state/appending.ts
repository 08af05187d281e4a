import { deepFreeze } from '../../common/index.js';
import type { JournalAppend } from '../conversation-store.js';
import { JOURNAL_SCHEMA_VERSION, type JournalEntry, type JournalItem } from '../journal-item.js';
import { withItems, type ConversationState } from './conversation-state.js';
import { isLiveFence } from './run-claims.js';

export interface Appended {
  readonly state: ConversationState;
  readonly entries: readonly JournalEntry[];
}

/** Why nothing may be written; undefined where it may. */
export function refusalOf(
  state: ConversationState,
  { expectedSeq, items, fence }: JournalAppend,
  now: number,
): { readonly kind: 'fenced' } | { readonly kind: 'conflict'; readonly lastSeq: number } | undefined {
  if (fence === undefined ? !items.every(isQueued) : !isLiveFence(state, fence, now)) return { kind: 'fenced' };
  return expectedSeq === state.lastSeq ? undefined : { kind: 'conflict', lastSeq: state.lastSeq };
}

/** The items as entries behind the last one. They are copied as JSON, and frozen. */
export function appendItems(state: ConversationState, items: readonly JournalItem[], now: number): Appended {
  const entries = items.map((item, index) =>
    deepFreeze({
      conversationId: state.id,
      seq: state.lastSeq + 1 + index,
      at: now,
      schemaVersion: JOURNAL_SCHEMA_VERSION,
      item: JSON.parse(JSON.stringify(item)) as JournalItem,
    }),
  );
  return { state: withItems(state, items, now), entries };
}

function isQueued(item: JournalItem): boolean {
  return item.type === 'queued_message';
}
