import { systemClock, type Clock, type Principal } from '../../common/index.js';
import {
  ConversationError,
  type AppendOutcome,
  type Conversation,
  type ConversationStore,
  type JournalAppend,
  type JournalEntry,
  type JournalItem,
  type JournalRange,
  type RunClaim,
} from '../../conversations/index.js';
import {
  appendItems,
  checkConversationId,
  followJournal,
  isSamePrincipal,
  newConversation,
  refusalOf,
  toConversation,
  toRunClaim,
  withClaim,
  withRelease,
  withRenewal,
} from '../../conversations/state/index.js';
import { memoryConversation, type MemoryConversation } from './memory-conversation.js';

export interface InMemoryAgentStoreOptions {
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/** The journal's half of `InMemoryAgentStore`. Each method does its work in one go, so that nothing comes in between. */
export abstract class InMemoryConversationStore implements ConversationStore {
  protected readonly conversations = new Map<string, MemoryConversation>();
  private readonly writeListeners = new Set<() => void>();
  private readonly clock: Clock;

  constructor({ clock = systemClock }: InMemoryAgentStoreOptions = {}) {
    this.clock = clock;
  }

  async open(id: string, owner: Principal): Promise<Conversation> {
    checkConversationId(id);
    const found = this.conversations.get(id) ?? memoryConversation(newConversation(id, owner, this.now()));
    if (!isSamePrincipal(found.state.owner, owner)) throw new ConversationError('conversation_unknown');
    this.conversations.set(id, found);
    return toConversation(found.state);
  }

  async find(id: string, owner?: Principal): Promise<Conversation | undefined> {
    const state = this.conversations.get(id)?.state;
    if (state === undefined || (owner !== undefined && !isSamePrincipal(state.owner, owner))) return undefined;
    return toConversation(state);
  }

  async append(conversationId: string, append: JournalAppend): Promise<AppendOutcome> {
    return this.write(this.conversation(conversationId), append, () => append.items);
  }

  async read(conversationId: string, { fromSeq = 1, limit }: JournalRange = {}): Promise<readonly JournalEntry[]> {
    const { entries } = this.conversation(conversationId);
    const from = Math.max(fromSeq, 1) - 1;
    return entries.slice(from, limit === undefined ? undefined : from + limit);
  }

  watch(conversationId: string, fromSeq: number, signal: AbortSignal): AsyncIterable<JournalEntry> {
    const source = {
      read: (from: number, limit: number) => this.read(conversationId, { fromSeq: from, limit }),
      subscribe: (wake: () => void) => this.subscribe(conversationId, wake),
      pollMs: 5000,
    };
    return followJournal(source, fromSeq, signal);
  }

  onWritten(listener: () => void): () => void {
    this.writeListeners.add(listener);
    return () => this.writeListeners.delete(listener);
  }

  async claimRun(conversationId: string, holder: string, leaseMs: number): Promise<RunClaim | undefined> {
    return this.change(conversationId, (state) => withClaim(state, holder, leaseMs, this.now()));
  }

  async renewRun(claim: RunClaim, leaseMs: number): Promise<RunClaim | undefined> {
    return this.change(claim.conversationId, (state) => withRenewal(state, claim, leaseMs, this.now()));
  }

  async releaseRun(claim: RunClaim): Promise<void> {
    this.change(claim.conversationId, (state) => withRelease(state, claim));
  }

  protected now(): number {
    return this.clock.now();
  }

  protected conversation(id: string): MemoryConversation {
    const found = this.conversations.get(id);
    if (found === undefined) throw new ConversationError('conversation_unknown');
    return found;
  }

  /** Writes what `itemsOf` yields, which is asked only where the write is let through. */
  protected write(
    conversation: MemoryConversation,
    append: JournalAppend,
    itemsOf: () => readonly JournalItem[],
  ): AppendOutcome {
    const { operationId } = append;
    const before = operationId === undefined ? undefined : conversation.operations.get(operationId);
    if (before !== undefined) return { kind: 'repeated', entries: before };
    const refusal = refusalOf(conversation.state, append, this.now());
    if (refusal !== undefined) return refusal;
    const entries = this.put(conversation, itemsOf());
    if (operationId !== undefined) conversation.operations.set(operationId, entries);
    return { kind: 'appended', entries };
  }

  protected put(conversation: MemoryConversation, items: readonly JournalItem[]): readonly JournalEntry[] {
    const { state, entries } = appendItems(conversation.state, items, this.now());
    conversation.state = state;
    conversation.entries.push(...entries);
    for (const wake of conversation.listeners) wake();
    for (const wake of this.writeListeners) wake();
    return entries;
  }

  private change(
    conversationId: string,
    transition: (state: MemoryConversation['state']) => MemoryConversation['state'] | undefined,
  ): RunClaim | undefined {
    const conversation = this.conversation(conversationId);
    const state = transition(conversation.state);
    if (state === undefined) return undefined;
    conversation.state = state;
    return toRunClaim(state);
  }

  private subscribe(conversationId: string, wake: () => void): () => void {
    const { listeners } = this.conversation(conversationId);
    listeners.add(wake);
    return () => listeners.delete(wake);
  }
}
