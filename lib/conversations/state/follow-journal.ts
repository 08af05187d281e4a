import type { JournalEntry } from '../journal-item.js';
import { Wakeup } from './wakeup.js';

/** What a driver gives to follow one journal. */
export interface JournalSource {
  read(fromSeq: number, limit: number): Promise<readonly JournalEntry[]>;
  /** Calls back when there may be more; yields what takes that back. */
  subscribe(wake: () => void): () => void;
  /** How long to wait for a wake before looking, in milliseconds. */
  readonly pollMs: number;
}

const BATCH = 200;

/** Entries from `fromSeq` on, those to come included, until the signal aborts. */
export async function* followJournal(
  source: JournalSource,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<JournalEntry, void, undefined> {
  const wakeup = new Wakeup();
  // Before the first look: what is written between a look and a wait wakes too.
  const unsubscribe = source.subscribe(wakeup.wake);
  try {
    let next = fromSeq;
    while (!signal.aborted) {
      const entries = await source.read(next, BATCH);
      for (const entry of entries) {
        if (signal.aborted) return;
        yield entry;
        next = entry.seq + 1;
      }
      if (entries.length < BATCH) await wakeup.wait(source.pollMs, signal);
    }
  } finally {
    unsubscribe();
  }
}
