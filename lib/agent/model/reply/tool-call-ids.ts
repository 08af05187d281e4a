import { randomInt } from 'node:crypto';
import type { ModelMessage } from '../model.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Some providers take ids of exactly nine letters and digits, and all of them take those. */
const LENGTH = 9;

/**
 * Gives each call of a reply an id that no other call of the conversation has: the provider's own where it is one, else ours.
 */
export class ToolCallIds {
  readonly #taken: Set<string>;

  constructor(messages: readonly ModelMessage[]) {
    const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
    this.#taken = new Set(calls.map(({ id }) => id));
  }

  take(wanted: string | undefined): string {
    let id = wanted ?? ownId();
    while (this.#taken.has(id)) id = ownId();
    this.#taken.add(id);
    return id;
  }
}

function ownId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
