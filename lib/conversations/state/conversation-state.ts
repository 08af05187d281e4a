import { principalSnapshot, type Principal } from '../../common/index.js';
import { ConversationError } from '../conversation-error.js';
import type { Conversation } from '../conversation-store.js';
import type { JournalItem } from '../journal-item.js';

/** What a store keeps of a conversation beside its journal: enough to judge a write without reading the journal. */
export interface ConversationState extends Conversation {
  /** The last write or claim. What has waited longest goes on first. */
  readonly updatedAt: number;
  /** The fence of the last claim; 0 where there was none. */
  readonly fence: number;
  /** Undefined where the last claim was released. */
  readonly holder: string | undefined;
  readonly leaseEndsAt: number;
  /** The `queued_message` entries that no run has taken up. */
  readonly queuedSeqs: readonly number[];
  readonly pendingApprovals: number;
}

export function newConversation(id: string, owner: Principal, now: number): ConversationState {
  return {
    id,
    owner: principalSnapshot(owner),
    createdAt: now,
    updatedAt: now,
    lastSeq: 0,
    openRunId: undefined,
    fence: 0,
    holder: undefined,
    leaseEndsAt: 0,
    queuedSeqs: [],
    pendingApprovals: 0,
  };
}

const MAX_ID_LENGTH = 200;

/** @throws ConversationError `conversation_unknown` of a text that is no id: there cannot be such a conversation */
export function checkConversationId(id: string): void {
  if (id.length === 0 || id.length > MAX_ID_LENGTH) throw new ConversationError('conversation_unknown');
}

export function toConversation({ id, owner, createdAt, lastSeq, openRunId }: ConversationState): Conversation {
  return { id, owner, createdAt, lastSeq, openRunId };
}

/** The same person in the same tenant. Scopes come and go. */
export function isSamePrincipal(one: Principal, other: Principal): boolean {
  return one.subject === other.subject && one.tenant === other.tenant;
}

/** Whether a run could go on: there is something to do, nobody has to decide first, and nobody is at it. */
export function isRunnable(state: ConversationState, now: number): boolean {
  const isAsked = state.openRunId !== undefined || state.queuedSeqs.length > 0;
  return isAsked && state.pendingApprovals === 0 && (state.holder === undefined || state.leaseEndsAt <= now);
}

/** The state with so many more pending approvals. */
export function withPendingApprovals(state: ConversationState, more: number): ConversationState {
  return { ...state, pendingApprovals: state.pendingApprovals + more };
}

/** The state after these items, the first of which gets `lastSeq + 1`. */
export function withItems(state: ConversationState, items: readonly JournalItem[], now: number): ConversationState {
  const after = items.reduce(withItem, state);
  return { ...after, updatedAt: now };
}

function withItem(state: ConversationState, item: JournalItem): ConversationState {
  const lastSeq = state.lastSeq + 1;
  switch (item.type) {
    case 'run_started':
      return { ...state, lastSeq, openRunId: item.runId };
    case 'run_ended':
      return { ...state, lastSeq, openRunId: state.openRunId === item.runId ? undefined : state.openRunId };
    case 'queued_message':
      return { ...state, lastSeq, queuedSeqs: [...state.queuedSeqs, lastSeq] };
    case 'user_message':
      return { ...state, lastSeq, queuedSeqs: state.queuedSeqs.filter((seq) => seq !== item.queuedSeq) };
    default:
      return { ...state, lastSeq };
  }
}
