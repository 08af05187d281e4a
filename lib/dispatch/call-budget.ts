import { DispatchError } from './dispatch-error.js';
import { onAbort } from './on-abort.js';

/** The longest time a timer can hold; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The time a tool call may take, and everything that can end it early: one signal, one reason. */
export class CallBudget {
  readonly deadline: number;
  readonly #controller = new AbortController();
  readonly #givenMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #letGoOfCaller: (() => void) | undefined;
  #endedBy: 'deadline' | 'caller' | undefined;

  constructor(timeoutMs: number, callerDeadline: number | undefined, callerSignal: AbortSignal | undefined) {
    const now = Date.now();
    this.deadline = Math.min(now + timeoutMs, callerDeadline ?? Number.POSITIVE_INFINITY);
    this.#givenMs = Math.max(0, this.deadline - now);
    this.#timer = setTimeout(() => this.#end('deadline'), Math.min(this.#givenMs, MAX_TIMER_MS));
    this.#letGoOfCaller = callerSignal && onAbort(callerSignal, () => this.#end('caller'));
    if (callerSignal?.aborted) this.#end('caller');
    else if (this.deadline <= now) this.#end('deadline');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws DispatchError `deadline_exceeded`, `dispatch_cancelled` */
  throwIfEnded(operation: string): void {
    if (this.#endedBy === 'caller') throw new DispatchError('dispatch_cancelled', { operation });
    if (this.#endedBy === 'deadline') {
      throw new DispatchError('deadline_exceeded', { operation, parameters: { timeoutMs: this.#givenMs } });
    }
  }

  /** Lets go of the timer and of the caller's signal, which may live much longer. */
  release(): void {
    clearTimeout(this.#timer);
    this.#letGoOfCaller?.();
  }

  #end(by: 'deadline' | 'caller'): void {
    this.#endedBy ??= by;
    this.#controller.abort();
  }
}
