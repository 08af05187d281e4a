/** Time, as the parts that wait take it: the system's, or a test's. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, `ms` milliseconds from now; the function it yields takes that back. Keeps no process alive. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
