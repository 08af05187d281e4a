import type { JournalEntry } from '../../conversations/index.js';
import type { ConversationState } from '../../conversations/state/index.js';
import type { CallRecord } from '../ledger/index.js';

/** One conversation in memory, with everything that belongs to it. */
export interface MemoryConversation {
  state: ConversationState;
  readonly entries: JournalEntry[];
  /** The entries that each operation wrote. */
  readonly operations: Map<string, readonly JournalEntry[]>;
  /** In the order in which they were proposed. */
  readonly calls: Map<string, CallRecord>;
  /** Unknown calls that an operator has looked at. */
  readonly acknowledged: Set<string>;
  readonly listeners: Set<() => void>;
}

export function memoryConversation(state: ConversationState): MemoryConversation {
  return {
    state,
    entries: [],
    operations: new Map(),
    calls: new Map(),
    acknowledged: new Set(),
    listeners: new Set(),
  };
}
