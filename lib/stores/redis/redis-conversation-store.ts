import { Logger } from '@nestjs/common';
import type { Principal } from '../../common/index.js';
import type {
  AppendOutcome,
  Conversation,
  ConversationStore,
  JournalAppend,
  JournalEntry,
  JournalRange,
  RunClaim,
} from '../../conversations/index.js';
import { checkConversationId, followJournal, isSamePrincipal } from '../../conversations/state/index.js';
import { JournalSubscriber } from './journal-subscriber.js';
import { CLAIM_RUN, RELEASE_RUN, RENEW_RUN } from './lua/claim-scripts.js';
import { FIND, FORGET, OPEN, READ, WRITE } from './lua/journal-scripts.js';
import { resolveOptions, type RedisAgentStoreOptions } from './redis-agent-store.options.js';
import type { RedisClient } from './redis-client.js';
import { ScriptRunner } from './script-runner.js';
import { serverWarnings } from './server-warnings.js';
import type { approvalInput } from './values/approvals.js';
import type { callInput } from './values/calls.js';
import { claimOf, conversationOf, entriesOf, itemInput, principalText, whoIs } from './values/conversations.js';
import { toOptionalText, toText } from './values/texts.js';

/** An append as its script takes it, with rows where it is a proposal. */
export interface WriteInput extends Omit<JournalAppend, 'items'> {
  readonly items: readonly ReturnType<typeof itemInput>[];
  readonly calls: readonly ReturnType<typeof callInput>[];
  readonly approvals: readonly ReturnType<typeof approvalInput>[];
}

/** The journal's half of `RedisAgentStore`. */
export abstract class RedisConversationStore implements ConversationStore {
  readonly #logger = new Logger('RedisAgentStore');
  protected readonly scripts: ScriptRunner;
  private readonly client: RedisClient;
  private readonly channel: string;
  protected readonly subscriber: JournalSubscriber | undefined;
  private readonly pollMs: number;

  /** @throws AgentStoreError `store_options_invalid` */
  constructor(options: RedisAgentStoreOptions) {
    const { client, keyPrefix, push, pollMs } = resolveOptions(options);
    this.client = client;
    // The client sets its own prefix before keys, and not before channels.
    this.channel = `${client.options?.keyPrefix ?? ''}{${keyPrefix}}:journal:`;
    this.scripts = new ScriptRunner(client, `{${keyPrefix}}`, push ? this.channel : undefined);
    this.subscriber = push ? new JournalSubscriber(client, this.channel) : undefined;
    this.pollMs = pollMs;
  }

  async open(id: string, owner: Principal): Promise<Conversation> {
    checkConversationId(id);
    const input = { conversationId: toText(id), who: whoIs(owner), owner: principalText(owner) };
    return conversationOf(id, await this.scripts.run(OPEN, input));
  }

  async find(id: string, owner?: Principal): Promise<Conversation | undefined> {
    const reply = await this.scripts.run(FIND, { conversationId: toText(id) });
    if (reply[0] === 'none') return undefined;
    const found = conversationOf(id, reply);
    return owner === undefined || isSamePrincipal(found.owner, owner) ? found : undefined;
  }

  async append(conversationId: string, append: JournalAppend): Promise<AppendOutcome> {
    const items = append.items.map((item) => itemInput(item));
    return this.write(conversationId, { ...append, items, calls: [], approvals: [] });
  }

  async read(conversationId: string, { fromSeq = 1, limit }: JournalRange = {}): Promise<readonly JournalEntry[]> {
    const first = Math.max(fromSeq, 1);
    const [, entries] = await this.scripts.run(READ, { conversationId: toText(conversationId), fromSeq: first, limit });
    return entriesOf(conversationId, first, entries);
  }

  watch(conversationId: string, fromSeq: number, signal: AbortSignal): AsyncIterable<JournalEntry> {
    const channel = this.channel + toText(conversationId);
    const source = {
      read: (from: number, limit: number) => {
        this.subscriber?.listen();
        return this.read(conversationId, { fromSeq: from, limit });
      },
      subscribe: (wake: () => void) => this.subscriber?.subscribe(channel, wake) ?? (() => undefined),
      pollMs: this.pollMs,
    };
    return followJournal(source, fromSeq, signal);
  }

  onWritten(listener: () => void): () => void {
    return this.subscriber?.subscribeToAll(listener) ?? (() => undefined);
  }

  async claimRun(conversationId: string, holder: string, leaseMs: number): Promise<RunClaim | undefined> {
    const input = { conversationId: toText(conversationId), holder: toText(holder), leaseMs };
    return claimOf(conversationId, holder, await this.scripts.run(CLAIM_RUN, input));
  }

  async renewRun({ conversationId, holder, fence }: RunClaim, leaseMs: number): Promise<RunClaim | undefined> {
    const input = { conversationId: toText(conversationId), holder: toText(holder), fence, leaseMs };
    return claimOf(conversationId, holder, await this.scripts.run(RENEW_RUN, input));
  }

  async releaseRun({ conversationId, holder, fence }: RunClaim): Promise<void> {
    await this.scripts.run(RELEASE_RUN, { conversationId: toText(conversationId), holder: toText(holder), fence });
  }

  /**
   * Deletes a conversation, with its journal, calls and approvals: Redis keeps everything in memory, until somebody does this.
   * False: it was not there, or a run is at it.
   */
  async forgetConversation(id: string): Promise<boolean> {
    const [kind] = await this.scripts.run(FORGET, { conversationId: toText(id) });
    return kind === 'forgotten';
  }

  /** Ends the connection that listens, and not the application's client. Whoever follows a journal goes on by looking. */
  close(): void {
    this.subscriber?.close();
  }

  /** Nest calls it where a module provides the store: warns of a server that is set up so that it loses what it keeps. */
  onModuleInit(): void {
    // In the background: a server that does not answer keeps no application from starting, and some tell nobody.
    this.client.info().then(
      (info) => serverWarnings(info).forEach((warning) => this.#logger.warn(warning)),
      () => undefined,
    );
  }

  /** As `onModuleInit`. */
  onApplicationShutdown(): void {
    this.close();
  }

  /** @param fault why the rows do not fit together: thrown where the append itself is let through */
  protected async write(
    conversationId: string,
    { operationId, ...input }: WriteInput,
    fault?: unknown,
  ): Promise<AppendOutcome> {
    const [kind, seq, entries] = await this.scripts.run(WRITE, {
      ...input,
      conversationId: toText(conversationId),
      operationId: toOptionalText(operationId),
      isFaulty: fault !== undefined,
    });
    if (kind === 'faulty') throw fault;
    if (kind === 'appended' || kind === 'repeated') {
      return { kind, entries: entriesOf(conversationId, Number(seq), entries) };
    }
    return kind === 'conflict' ? { kind, lastSeq: Number(seq) } : { kind: 'fenced' };
  }
}
