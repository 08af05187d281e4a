import { callLabel, EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressCallOptions } from './egress-call-options.js';

/** The longest time a timer can hold; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

export interface CallLimits {
  /** For the whole call, in milliseconds. */
  readonly timeoutMs: number;
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
  readonly #onCancel = (): void => this.fail(new EgressError('egress_cancelled', this.call));
  readonly #parent: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: EgressError | undefined;

  constructor(
    private readonly call: EgressCallName,
    private readonly limits: CallLimits,
    options: EgressCallOptions,
  ) {
    this.#parent = options.signal;
    const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
    const remainingMs = options.deadline === undefined ? Infinity : options.deadline - Date.now();
    // Also true for NaN: what cannot be compared has no time left.
    if (!(Math.min(timeoutMs, remainingMs) > 0)) this.fail(spent(call));
    else if (this.#parent?.aborted === true) this.#onCancel();
    else this.#start(timeoutMs, remainingMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get failure(): EgressError | undefined {
    return this.#failure;
  }

  /** Settles as the promise does, or rejects with the budget's failure, whichever is first. */
  within<T>(promise: Promise<T>): Promise<T> {
    if (this.#failure !== undefined) {
      promise.catch(() => undefined);
      return Promise.reject(this.#failure);
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      promise.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  /** As `within`, for one chunk: the time between chunks is limited only while somebody waits for one. */
  withinIdle<T>(promise: Promise<T>): Promise<T> {
    const { idleTimeoutMs } = this.limits;
    const what = 'no part of the reply came for that long';
    const timer = setTimeout(() => this.fail(timedOut(this.call, idleTimeoutMs, what)), idleTimeoutMs);
    return this.within(promise).finally(() => clearTimeout(timer));
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
    this.#parent?.removeEventListener('abort', this.#onCancel);
  }

  #start(timeoutMs: number, remainingMs: number): void {
    const isDeadlineFirst = remainingMs < timeoutMs;
    const failure = isDeadlineFirst
      ? () => new EgressError('deadline_exceeded', this.call, { parameters: { timeoutMs: Math.ceil(remainingMs) } })
      : () => timedOut(this.call, timeoutMs, 'the whole of it was not done');
    const ms = Math.min(timeoutMs, remainingMs, MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.fail(failure()), ms);
    this.#parent?.addEventListener('abort', this.#onCancel, { once: true });
  }
}

function timedOut(call: EgressCallName, timeoutMs: number, what: string): EgressError {
  return new EgressError('egress_timeout', call, { parameters: { timeoutMs, what } });
}

function spent(call: EgressCallName): EgressError {
  const message = `${callLabel(call)} was not sent: no time was left for it.`;
  return new EgressError('deadline_exceeded', call, { message });
}
