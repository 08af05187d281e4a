import type { Principal } from '../common/index.js';
import type { JournalEntry, JournalItem } from './journal-item.js';

/** A conversation, as its store keeps it beside the journal. */
export interface Conversation {
  readonly id: string;
  /** Only the subject who began it, in the tenant it was begun in, finds it. */
  readonly owner: Principal;
  readonly createdAt: number;
  /** 0 where the journal is empty. */
  readonly lastSeq: number;
  /** The run between `run_started` and `run_ended`; undefined where none is open. */
  readonly openRunId: string | undefined;
}

export interface JournalAppend {
  /** The `seq` of the last entry that the writer has seen. */
  readonly expectedSeq: number;
  readonly items: readonly JournalItem[];
  /**
   * Makes the append repeatable: a second one of the same id is answered with the first one's outcome, whatever else it
   * asks for, and also when the claim has ended since. Only an append that wrote is remembered.
   */
  readonly operationId?: string | undefined;
  /** The claim under which a run writes; without it only `queued_message` may be appended, and all else is `fenced`. */
  readonly fence?: number | undefined;
}

export type AppendOutcome =
  | { readonly kind: 'appended'; readonly entries: readonly JournalEntry[] }
  /** The operation had been done before: these are its entries. */
  | { readonly kind: 'repeated'; readonly entries: readonly JournalEntry[] }
  /** Somebody else wrote first. Nothing was written. */
  | { readonly kind: 'conflict'; readonly lastSeq: number }
  /** The claim has ended, be it that its lease did, or another has been made. Nothing was written. Goes before `conflict`. */
  | { readonly kind: 'fenced' };

/** The right to write as the run of a conversation, for as long as the lease lasts. */
export interface RunClaim {
  readonly conversationId: string;
  readonly holder: string;
  /** Grows with each claim of the conversation; a write under an older one is refused. */
  readonly fence: number;
  /** By the store's clock, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface JournalRange {
  /** The first `seq` to read. Default: 1. */
  readonly fromSeq?: number;
  /** Default: all. */
  readonly limit?: number;
}

/**
 * Where conversations are kept. Every method is atomic, and time is the store's own. A conversation that does not exist
 * is the same to every method: `ConversationError` `conversation_unknown`.
 *
 * A driver passes `storeConformance` of `nestjs-palette/testing`.
 */
export interface ConversationStore {
  /**
   * Creates a conversation, or yields the one of that id where the same owner began it: the same subject in the same tenant,
   * whatever the scopes. An id has 1 to 200 characters.
   * @throws ConversationError `conversation_unknown` where the id is another's, or no id
   */
  open(id: string, owner: Principal): Promise<Conversation>;
  /** Undefined where there is none, and where it is another's. Without `owner`: whoever's it is, for the library's own use. */
  find(id: string, owner?: Principal): Promise<Conversation | undefined>;
  append(conversationId: string, append: JournalAppend): Promise<AppendOutcome>;
  /**
   * Entries in order of `seq`.
   * @throws ConversationError `journal_version_unknown` where a later version of the library wrote one of them
   */
  read(conversationId: string, range?: JournalRange): Promise<readonly JournalEntry[]>;
  /**
   * Entries from `fromSeq` on, those to come included, until `signal` aborts, which ends it without an error. A push wakes it
   * where the driver has one, and it looks by itself at least every five seconds.
   * @throws ConversationError `conversation_unknown` and `journal_version_unknown`, when it is read from
   */
  watch(conversationId: string, fromSeq: number, signal: AbortSignal): AsyncIterable<JournalEntry>;
  /** Undefined while another holder's lease lasts. The same holder gets a new fence. */
  claimRun(conversationId: string, holder: string, leaseMs: number): Promise<RunClaim | undefined>;
  /** The claim with its new end; undefined where it was lost, which it is as soon as its lease has ended. */
  renewRun(claim: RunClaim, leaseMs: number): Promise<RunClaim | undefined>;
  /** Ends the claim where it is still held. */
  releaseRun(claim: RunClaim): Promise<void>;
}
