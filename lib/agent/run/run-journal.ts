import type { AgentStore, Proposal } from '../../approvals/index.js';
import type { AppendOutcome, JournalEntry, JournalItem } from '../../conversations/index.js';
import { NEW_CONVERSATION, reduceRun, type OpenRun, type RunState } from './run-state.js';

/** Somebody else holds the conversation now: nothing more may be written here. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/** An entry, and the run that was open before it. */
export interface TakenEntry {
  readonly entry: JournalEntry;
  readonly before: OpenRun | undefined;
}

/**
 * One conversation's journal as this process knows it. Others write to it too (a decision, a queued message): what they wrote
 * is taken in before anything is added.
 */
export class RunJournal {
  readonly entries: JournalEntry[] = [];
  #state: RunState = NEW_CONVERSATION;

  constructor(
    readonly store: AgentStore,
    readonly conversationId: string,
  ) {}

  get state(): RunState {
    return this.#state;
  }

  /** Reads what is new. */
  async refresh(): Promise<TakenEntry[]> {
    return this.take(await this.store.read(this.conversationId, { fromSeq: this.#state.lastSeq + 1 }));
  }

  /** Takes in entries that were read elsewhere; those that are known already are left out. */
  take(entries: readonly JournalEntry[]): TakenEntry[] {
    return entries.flatMap((entry) => {
      if (entry.seq <= this.#state.lastSeq) return [];
      const before = this.#state.run;
      this.#state = reduceRun(this.#state, entry);
      this.entries.push(entry);
      return { entry, before };
    });
  }

  /** @throws RunLost */
  append(items: readonly JournalItem[], operationId: string, fence: number): Promise<TakenEntry[]> {
    return this.#write((expectedSeq) =>
      this.store.append(this.conversationId, { expectedSeq, items, operationId, fence }),
    );
  }

  /** Appends without a claim, which is allowed for queued messages only. */
  queue(items: readonly JournalItem[], operationId: string): Promise<TakenEntry[]> {
    return this.#write((expectedSeq) => this.store.append(this.conversationId, { expectedSeq, items, operationId }));
  }

  /** @throws RunLost */
  propose(proposal: Omit<Proposal, 'expectedSeq'>): Promise<TakenEntry[]> {
    return this.#write((expectedSeq) => this.store.propose(this.conversationId, { ...proposal, expectedSeq }));
  }

  async #write(attempt: (expectedSeq: number) => Promise<AppendOutcome>): Promise<TakenEntry[]> {
    const taken: TakenEntry[] = [];
    for (;;) {
      const outcome = await attempt(this.#state.lastSeq);
      if (outcome.kind === 'fenced') throw new RunLost('the claim of the conversation has ended');
      if (outcome.kind === 'appended') return [...taken, ...this.take(outcome.entries)];
      taken.push(...(await this.refresh()));
      if (outcome.kind === 'repeated') return taken;
    }
  }
}
