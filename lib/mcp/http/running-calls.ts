import type { RequestId } from '@modelcontextprotocol/server';
import { isPlainObject } from '../../common/index.js';

/**
 * The calls of 2025-era clients that are running here. Such a client cancels a call by another message, which is all that its
 * session is for: nothing else is kept of it, and the identity of a caller is that of each message.
 */
export class RunningCalls {
  readonly #calls = new Map<string, AbortController>();

  begin(session: string, id: RequestId): { readonly signal: AbortSignal; readonly end: () => void } {
    const key = keyOf(session, id);
    const controller = new AbortController();
    this.#calls.set(key, controller);
    return {
      signal: controller.signal,
      end: () => {
        if (this.#calls.get(key) === controller) this.#calls.delete(key);
      },
    };
  }

  /** Cancels what the messages of a request cancel. */
  hear(session: string, messages: unknown): void {
    for (const message of Array.isArray(messages) ? (messages as unknown[]) : [messages]) {
      if (!isPlainObject(message) || message['method'] !== 'notifications/cancelled') continue;
      const parameters = message['params'];
      const id = isPlainObject(parameters) ? parameters['requestId'] : undefined;
      if (typeof id === 'string' || typeof id === 'number') this.#calls.get(keyOf(session, id))?.abort();
    }
  }
}

function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}
