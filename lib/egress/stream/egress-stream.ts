import { EgressError, type EgressCallName } from '../egress-error.js';
import { CallBudget } from '../call/call-budget.js';
import type { EgressCallOptions } from '../call/egress-call-options.js';
import { openReply, type EgressTarget } from '../call/egress-call.js';
import type { ResponseBody } from '../call/response-body.js';
import { asyncDispose } from './async-dispose.js';

/**
 * The body of a reply, in chunks as they arrive: cut anywhere, also inside a character or a line. It ends only where the
 * reply was complete; everything else is an `EgressError`, and stays one for whoever asks again.
 *
 * Leaving a `for await`, `return`, `throw` and `await using` each close the connection at once, also before the first chunk.
 */
export interface EgressStream extends AsyncIterableIterator<Uint8Array> {
  readonly service: string;
  readonly operation: string;
  return(): Promise<IteratorResult<Uint8Array>>;
  throw(error?: unknown): Promise<IteratorResult<Uint8Array>>;
  [asyncDispose](): Promise<void>;
}

const DONE = Object.freeze({ done: true as const, value: undefined });

/**
 * Sends a call and yields its reply as a stream.
 *
 * The request is sent at the call, not at the first `next()`: the answer is on its way while the caller sets up, the caller's
 * async context is the one of the call, and `return()` before the first `next()` has something to close. A refusal waits
 * for the first `next()`; if nobody ever asks, it is dropped and not an unhandled rejection, and the time-out closes the
 * connection of a reply that nobody reads.
 */
export function openStream(target: EgressTarget, args: unknown, options: EgressCallOptions): EgressStream {
  const budget = new CallBudget(target.call, target.settings, options);
  return new ReplyStream(target.call, budget, openReply(target, args, options, budget));
}

/** A stream that fails with what the call could not even begin with. */
export function failedStream(call: EgressCallName, error: unknown): EgressStream {
  const budget = new CallBudget(call, { timeoutMs: 1, idleTimeoutMs: 1 }, {});
  budget.end();
  return new ReplyStream(call, budget, Promise.reject(error as Error));
}

class ReplyStream implements EgressStream {
  readonly service: string;
  readonly operation: string;
  readonly #body: Promise<ResponseBody>;
  #last: Promise<unknown> = Promise.resolve();
  /** Calls of `next` that were not answered yet. */
  #asked = 0;
  #isDone = false;
  #error: unknown;

  // A hand-written iterator: the `return()` of a generator that was not started does nothing, and the connection leaks.
  constructor(
    private readonly call: EgressCallName,
    private readonly budget: CallBudget,
    body: Promise<ResponseBody>,
  ) {
    this.service = call.service;
    this.operation = call.operation;
    this.#body = body;
    body.catch(() => undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls that overlap are answered in their order. */
  next(): Promise<IteratorResult<Uint8Array>> {
    const result = this.#asked === 0 ? this.#next() : this.#last.then(() => this.#next());
    this.#asked++;
    const settled = (): void => void this.#asked--;
    this.#last = result.then(settled, settled);
    return result;
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#close();
    return Promise.resolve(DONE);
  }

  throw(error?: unknown): Promise<IteratorResult<Uint8Array>> {
    this.#close();
    return Promise.reject(error as Error);
  }

  async [asyncDispose](): Promise<void> {
    await this.return();
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#isDone) return DONE;
    if (this.#error !== undefined) throw this.#error;
    try {
      const chunk = await (await this.#body).read();
      if (chunk !== undefined) return { done: false, value: chunk };
      this.#isDone = true;
      return DONE;
    } catch (error) {
      // Only the consumer's own closing ends a stream that was not complete.
      if (this.#isDone) return DONE;
      this.#error = error;
      throw error;
    }
  }

  #close(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.budget.fail(new EgressError('egress_cancelled', this.call));
  }
}
