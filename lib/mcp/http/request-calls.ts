import type { RequestId } from '@modelcontextprotocol/server';
import { messagesIn } from './messages-in.js';

/**
 * The calls of one request, each with an end of its own, which is there before the call is: whoever cancels it or goes away may
 * do so while nobody knows yet what its caller sees.
 */
export class RequestCalls {
  readonly #controllers = new Map<RequestId, AbortController>();

  /** @param body the message of the request, or its batch */
  constructor(body: unknown) {
    for (const { method, id } of messagesIn(body)) {
      const isRequest = method !== undefined && (typeof id === 'string' || typeof id === 'number');
      if (isRequest) this.#controllers.set(id, new AbortController());
    }
  }

  get ids(): readonly RequestId[] {
    return [...this.#controllers.keys()];
  }

  signalOf(id: RequestId): AbortSignal | undefined {
    return this.#controllers.get(id)?.signal;
  }

  abort(id: RequestId): void {
    this.#controllers.get(id)?.abort();
  }

  abortAll(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
