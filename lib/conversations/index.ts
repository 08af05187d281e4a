export { ConversationError } from './conversation-error.js';
export type {
  AppendOutcome,
  Conversation,
  ConversationStore,
  JournalAppend,
  JournalRange,
  RunClaim,
} from './conversation-store.js';
export {
  type ApprovalDecisionItem,
  type ApprovalRequestItem,
  type AssistantMessageItem,
  type HandoffItem,
  type JournalEntry,
  type JournalItem,
  type JournalToolCall,
  type QueuedMessageItem,
  type RunEndedItem,
  type RunStartedItem,
  type ToolResultItem,
  type UserMessageItem,
} from './journal-item.js';
export { KeptClaim } from './kept-claim.js';
export { type ItemUpgrades, type StoredEntry } from './upgrade-entry.js';
