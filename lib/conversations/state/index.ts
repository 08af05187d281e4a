export { appendItems, refusalOf, type Appended } from './appending.js';
export {
  checkConversationId,
  isRunnable,
  isSamePrincipal,
  newConversation,
  toConversation,
  withPendingApprovals,
  type ConversationState,
} from './conversation-state.js';
export { followJournal, type JournalSource } from './follow-journal.js';
export { isLiveFence, toRunClaim, withClaim, withRelease, withRenewal } from './run-claims.js';
