import { MAX_TIMER_MS, onAbort } from '../../common/index.js';
import { callLabel, EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressCallOptions } from './egress-call-options.js';

export interface CallLimits {
  /** For the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Until the head of an answer, for each attempt, in milliseconds. Left out, only the whole is limited. */
  readonly headersTimeoutMs?: number | undefined;
  /** Between two chunks of the reply, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/**
 * The time one call has, and its one way to end early. Whatever ends it (time, the caller, a limit) becomes the call's
 * failure, closes the connection through `signal`, and rejects whoever waits.
 *
 * Signals are linked by hand: `AbortSignal.any` over a parent that lives long keeps every call of it alive.
 */
export class CallBudget {
  readonly #controller = new AbortController();
  readonly #waiting = new Set<(failure: EgressError) => void>();
  readonly #endsAt: number;
  #letGoOfCaller: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #idleWaits = 0;
  #failure: EgressError | undefined;

  constructor(
    private readonly call: EgressCallName,
    private readonly limits: CallLimits,
    options: EgressCallOptions,
  ) {
    const now = Date.now();
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    const remainingMs = options.deadline === undefined ? Infinity : options.deadline - now;
    this.#endsAt = now + Math.min(timeoutMs, remainingMs);
    // Also true for NaN: what cannot be compared has no time left.
    if (!(Math.min(timeoutMs, remainingMs) > 0)) this.fail(spent(call));
    else if (options.signal?.aborted === true) this.#cancel();
    else this.#start(timeoutMs, remainingMs, options.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get failure(): EgressError | undefined {
    return this.#failure;
  }

  /** What is left of the whole, in milliseconds; never negative. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - Date.now());
  }

  /** Settles as the promise does, or rejects with the budget's failure, whichever is first. */
  within<T>(promise: Promise<T>, onSettled?: () => void): Promise<T> {
    if (this.#failure !== undefined) {
      promise.catch(() => undefined);
      return Promise.reject(this.#failure);
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      // One reaction and no chain: this runs for each chunk of a stream.
      const settled = (): void => {
        this.#waiting.delete(reject);
        onSettled?.();
      };
      promise.then(
        (value) => (settled(), resolve(value)),
        (error: Error) => (settled(), reject(error)),
      );
    });
  }

  /** As `within`, for the head of an answer. */
  withinHead<T>(promise: Promise<T>): Promise<T> {
    const { headersTimeoutMs } = this.limits;
    if (headersTimeoutMs === undefined) return this.within(promise);
    return this.#withinMs(promise, headersTimeoutMs, 'no answer began for that long');
  }

  /** As `within`, for one chunk: the time between chunks is limited only while somebody waits for one. */
  withinIdle<T>(promise: Promise<T>): Promise<T> {
    this.#idleWaits++;
    // One timer for all chunks, begun anew with each: making one costs more than the chunk.
    this.#idleTimer = this.#idleTimer?.refresh() ?? setTimeout(() => this.#idled(), this.limits.idleTimeoutMs);
    return this.within(promise, () => this.#idleWaits--);
  }

  /** Waits, unless the call ends first. */
  async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    return this.within(over).finally(() => clearTimeout(timer));
  }

  /** Ends the call with a failure; the first one stays. */
  fail(failure: EgressError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.end();
    this.#controller.abort(failure);
    for (const reject of this.#waiting) reject(failure);
  }

  /** Lets go of the timer and of the caller's signal. The reply is complete, or has failed. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#idleTimer !== undefined) clearTimeout(this.#idleTimer);
    this.#letGoOfCaller?.();
  }

  #idled(): void {
    if (this.#idleWaits === 0) return;
    this.fail(timedOut(this.call, this.limits.idleTimeoutMs, 'no part of the reply came for that long'));
  }

  #cancel(): void {
    this.fail(new EgressError('egress_cancelled', this.call));
  }

  #withinMs<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
    const timer = setTimeout(() => this.fail(timedOut(this.call, timeoutMs, what)), timeoutMs);
    return this.within(promise).finally(() => clearTimeout(timer));
  }

  #start(timeoutMs: number, remainingMs: number, caller: AbortSignal | undefined): void {
    const isDeadlineFirst = remainingMs < timeoutMs;
    const failure = isDeadlineFirst
      ? () => new EgressError('deadline_exceeded', this.call, { parameters: { timeoutMs: Math.ceil(remainingMs) } })
      : () => timedOut(this.call, timeoutMs, 'the whole of it was not done');
    const ms = Math.min(timeoutMs, remainingMs, MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.fail(failure()), ms);
    this.#letGoOfCaller = caller && onAbort(caller, () => this.#cancel());
  }
}

function timedOut(call: EgressCallName, timeoutMs: number, what: string): EgressError {
  return new EgressError('egress_timeout', call, { parameters: { timeoutMs, what } });
}

function spent(call: EgressCallName): EgressError {
  const message = `${callLabel(call)} was not sent: no time was left for it.`;
  return new EgressError('deadline_exceeded', call, { message });
}
