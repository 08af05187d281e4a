import { MAX_TIMER_MS, onAbort } from '../common/index.js';
import { DispatchError } from './dispatch-error.js';

/** The time a tool call may take, and everything that can end it early: one signal, one reason. */
export class CallBudget {
  readonly deadline: number;
  readonly #waiting = new Set<() => void>();
  readonly #givenMs: number;
  readonly #letGoOfCaller: (() => void) | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #endedBy: 'deadline' | 'caller' | undefined;

  constructor(timeoutMs: number, callerDeadline: number | undefined, callerSignal: AbortSignal | undefined) {
    const now = Date.now();
    this.deadline = Math.min(now + timeoutMs, callerDeadline ?? Number.POSITIVE_INFINITY);
    this.#givenMs = Math.max(0, this.deadline - now);
    this.#letGoOfCaller = callerSignal && onAbort(callerSignal, () => this.#end('caller'));
    if (callerSignal?.aborted) this.#end('caller');
    else this.#watchClock();
  }

  get hasEnded(): boolean {
    return this.#endedBy !== undefined;
  }

  /** The end as a signal, for those who take one: it is made when it is first asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.hasEnded) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Calls back once when the call ends early, until it is let go of. @returns lets go */
  onEnd(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  /** @throws DispatchError `deadline_exceeded`, `dispatch_cancelled` */
  throwIfEnded(operation: string): void {
    if (this.#endedBy === 'caller') throw new DispatchError('dispatch_cancelled', { operation });
    if (this.#endedBy === 'deadline') {
      throw new DispatchError('deadline_exceeded', { operation, parameters: { timeoutMs: this.#givenMs } });
    }
  }

  /**
   * The same, by the clock: for a call that failed, since a call within it that ran out of the same time may have been what
   * made it fail.
   *
   * @throws DispatchError `deadline_exceeded`, `dispatch_cancelled`
   */
  throwIfSpent(operation: string): void {
    if (Date.now() >= this.deadline) this.#end('deadline');
    this.throwIfEnded(operation);
  }

  /** Lets go of the timer and of the caller's signal, which may live much longer. */
  release(): void {
    clearTimeout(this.#timer);
    this.#letGoOfCaller?.();
  }

  /** The clock decides, not the timer, which may fire early. A deadline that is no number is over. */
  #watchClock(): void {
    const leftMs = this.deadline - Date.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#watchClock(), Math.min(leftMs, MAX_TIMER_MS));
    else this.#end('deadline');
  }

  #end(by: 'deadline' | 'caller'): void {
    this.#endedBy ??= by;
    this.#controller?.abort();
    for (const callback of this.#waiting) callback();
    this.#waiting.clear();
  }
}
