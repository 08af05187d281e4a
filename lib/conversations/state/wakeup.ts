import { onAbort } from '../../common/index.js';

/** Lets one reader wait until somebody wakes it. A wake that comes while nobody waits ends the next wait at once. */
export class Wakeup {
  private isDue = false;
  private end: (() => void) | undefined;

  readonly wake = (): void => {
    this.isDue = true;
    this.end?.();
  };

  /** Ends when woken, when the signal aborts, and after `longestMs`. Keeps no process alive. */
  async wait(longestMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isDue && !signal.aborted) await this.rest(longestMs, signal);
    this.isDue = false;
  }

  private rest(longestMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end?.(), longestMs);
      timer.unref();
      const letGo = onAbort(signal, () => this.end?.());
      this.end = () => {
        clearTimeout(timer);
        letGo();
        this.end = undefined;
        resolve();
      };
    });
  }
}
