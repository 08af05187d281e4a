import type { AgentEvent } from './agent-event.js';
import { eventsOf } from './events-of.js';
import type { RunJournal, TakenEntry } from './run-journal.js';

/** The events of entries, in order. */
export function* eventsOfTaken(taken: readonly TakenEntry[]): Generator<AgentEvent> {
  for (const { entry, before } of taken) yield* eventsOf(entry, before);
}

/** What others write, from here on, until `isOver` says so or the signal aborts. */
export async function* followRun(
  journal: RunJournal,
  signal: AbortSignal,
  isOver: () => boolean,
): AsyncGenerator<AgentEvent, void, undefined> {
  if (isOver()) return;
  for await (const entry of journal.store.watch(journal.conversationId, journal.state.lastSeq + 1, signal)) {
    yield* eventsOfTaken(journal.take([entry]));
    if (isOver()) return;
  }
}
