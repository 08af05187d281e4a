const WAITING = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when a signal aborts, until it is let go of. Any number of calls of one caller wait on one listener: Node
 * takes more than ten on a signal for a leak, and says so in the log.
 *
 * @returns lets go
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const waiting = WAITING.get(signal) ?? listenTo(signal);
  waiting.add(callback);
  return () => {
    if (!waiting.delete(callback) || waiting.size > 0) return;
    WAITING.delete(signal);
    signal.removeEventListener('abort', tellAll);
  };
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  WAITING.set(signal, waiting);
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
}

function tellAll(this: AbortSignal): void {
  const waiting = WAITING.get(this);
  WAITING.delete(this);
  for (const callback of waiting ?? []) callback();
}
