import { createHash } from 'node:crypto';
import { PaletteError, type Principal } from '../../common/index.js';
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
  type ConversationState,
} from '../../conversations/state/index.js';
import { JournalListener } from './journal-listener.js';
import type { PostgresAgentStoreOptions } from './postgres-agent-store.options.js';
import { connectionOf, inTransaction } from './sql/connections.js';
import { findConversation, insertConversation, lockConversation, saveConversation } from './sql/conversation-rows.js';
import type { PostgresDatabase } from './sql/database-types.js';
import { entriesOfOperation, insertEntries, insertOperation, readEntries } from './sql/entry-rows.js';
import { StoreNames, StoreSession } from './sql/store-session.js';

const DEFAULT_POLL_MS = 5000;

/** A conversation within a transaction that has it locked: what is read and written is nobody else's meanwhile. */
export interface LockedWork {
  readonly session: StoreSession;
  /** The server's time, in milliseconds since the epoch. */
  readonly now: number;
  /** As it will be saved: whoever changes it replaces it. */
  state: ConversationState;
}

/** The journal's half of `PostgresAgentStore`. */
export abstract class PostgresConversationStore implements ConversationStore {
  protected readonly names: StoreNames;
  private readonly channel: string | undefined;
  protected readonly listener: JournalListener | undefined;
  private readonly pollMs: number;

  constructor(
    protected readonly database: PostgresDatabase,
    { schema = 'public', push = true, pollMs = DEFAULT_POLL_MS }: PostgresAgentStoreOptions = {},
  ) {
    this.names = new StoreNames(schema);
    this.channel = push ? channelOf(schema) : undefined;
    this.listener = this.channel === undefined ? undefined : new JournalListener(database, this.channel);
    this.pollMs = pollMs;
  }

  async open(id: string, owner: Principal): Promise<Conversation> {
    checkConversationId(id);
    // Looking first spares those that are there a write; the insert yields to whoever was quicker.
    const found = (await this.reading((session) => findConversation(session, id))) ?? (await this.create(id, owner));
    if (found === undefined || !isSamePrincipal(found.owner, owner))
      throw new ConversationError('conversation_unknown');
    return toConversation(found);
  }

  async find(id: string, owner?: Principal): Promise<Conversation | undefined> {
    const found = await this.reading((session) => findConversation(session, id));
    if (found === undefined || (owner !== undefined && !isSamePrincipal(found.owner, owner))) return undefined;
    return toConversation(found);
  }

  append(conversationId: string, append: JournalAppend): Promise<AppendOutcome> {
    return this.inConversation(conversationId, (work) => write(work, append, async () => append.items));
  }

  read(conversationId: string, range: JournalRange = {}): Promise<readonly JournalEntry[]> {
    return this.reading((session) => readEntries(session, conversationId, range));
  }

  watch(conversationId: string, fromSeq: number, signal: AbortSignal): AsyncIterable<JournalEntry> {
    const source = {
      read: (from: number, limit: number) => {
        this.listener?.listen();
        return this.read(conversationId, { fromSeq: from, limit });
      },
      subscribe: (wake: () => void) => this.listener?.subscribe(conversationId, wake) ?? (() => undefined),
      pollMs: this.pollMs,
    };
    return followJournal(source, fromSeq, signal);
  }

  onWritten(listener: () => void): () => void {
    return this.listener?.subscribeToAll(listener) ?? (() => undefined);
  }

  claimRun(conversationId: string, holder: string, leaseMs: number): Promise<RunClaim | undefined> {
    return this.changeClaim(conversationId, ({ state, now }) => withClaim(state, holder, leaseMs, now));
  }

  renewRun(claim: RunClaim, leaseMs: number): Promise<RunClaim | undefined> {
    return this.changeClaim(claim.conversationId, ({ state, now }) => withRenewal(state, claim, leaseMs, now));
  }

  async releaseRun(claim: RunClaim): Promise<void> {
    await this.changeClaim(claim.conversationId, ({ state }) => withRelease(state, claim));
  }

  /** Runs statements outside a transaction, each for itself. */
  protected async reading<T>(work: (session: StoreSession) => Promise<T>): Promise<T> {
    const connection = await connectionOf(this.database);
    let isBroken = true;
    try {
      const value = await work(new StoreSession(connection.client, this.names));
      isBroken = false;
      return value;
    } catch (error) {
      isBroken = !isAnswer(error);
      throw error;
    } finally {
      await connection.giveBack(isBroken);
    }
  }

  /** Runs `work` in a transaction of its own, with the conversation locked, and saves what it made of its state. */
  protected inConversation<T>(id: string, work: (locked: LockedWork) => Promise<T>): Promise<T> {
    return inTransaction(this.database, ({ client }) => this.lockedIn(new StoreSession(client, this.names), id, work));
  }

  /** As `inConversation`, in a transaction that is open already. */
  protected async lockedIn<T>(session: StoreSession, id: string, work: (locked: LockedWork) => Promise<T>): Promise<T> {
    const { state, now } = await lockConversation(session, id);
    return this.saving({ session, state, now }, work);
  }

  protected async saving<T>(locked: LockedWork, work: (locked: LockedWork) => Promise<T>): Promise<T> {
    const before = locked.state;
    const value = await work(locked);
    await saveConversation(locked.session, before, locked.state, this.channel);
    return value;
  }

  private create(id: string, owner: Principal): Promise<ConversationState | undefined> {
    return inTransaction(this.database, async ({ client }) => {
      const session = new StoreSession(client, this.names);
      await insertConversation(session, newConversation(id, owner, 0));
      return findConversation(session, id);
    });
  }

  private changeClaim(
    id: string,
    transition: (locked: LockedWork) => ConversationState | undefined,
  ): Promise<RunClaim | undefined> {
    return this.inConversation(id, async (locked) => {
      const state = transition(locked);
      if (state === undefined) return undefined;
      locked.state = state;
      return toRunClaim(state);
    });
  }
}

/** Writes what `itemsOf` yields, which is asked only where the write is let through. */
export async function write(
  work: LockedWork,
  append: JournalAppend,
  itemsOf: () => Promise<readonly JournalItem[]>,
): Promise<AppendOutcome> {
  const { session, now, state } = work;
  const { operationId } = append;
  const before = operationId === undefined ? undefined : await entriesOfOperation(session, state.id, operationId);
  if (before !== undefined) return { kind: 'repeated', entries: before };
  const refusal = refusalOf(state, append, now);
  if (refusal !== undefined) return refusal;
  const entries = await put(work, await itemsOf());
  if (operationId !== undefined) {
    await insertOperation(session, state.id, operationId, state.lastSeq + 1, entries.length);
  }
  return { kind: 'appended', entries };
}

export async function put(work: LockedWork, items: readonly JournalItem[]): Promise<readonly JournalEntry[]> {
  const { state, entries } = appendItems(work.state, items, work.now);
  work.state = state;
  await insertEntries(work.session, entries);
  return entries;
}

/** Names of channels are short; those of schemas need not be. */
function channelOf(schema: string): string {
  return `palette_journal_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}

/** Whether the server answered, or this library did: the connection is good still. */
function isAnswer(error: unknown): boolean {
  return PaletteError.isInstance(error) || (error as { readonly severity?: unknown }).severity === 'ERROR';
}
