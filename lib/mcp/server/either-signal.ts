/**
 * Aborts when one of them does. Unlike `AbortSignal.any` it keeps no register of what follows what, and so has to be let go of
 * where a signal outlives the call.
 */
export function eitherSignal(signals: readonly AbortSignal[]): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const [first, ...others] = signals;
  if (first !== undefined && others.length === 0) return { signal: first, release: () => undefined };
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => signals.forEach((signal) => signal.removeEventListener('abort', abort)),
  };
}
