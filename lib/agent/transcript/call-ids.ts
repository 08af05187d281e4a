import { createHash } from 'node:crypto';
import { isPlainObject } from '../../common/index.js';

/** As many letters and digits as every provider takes; see `ToolCallIds`. */
const LENGTH = 9;

/**
 * Gives each call an id of its own: the one it has where that can stay, else one that is made from it. The same calls in the same
 * order get the same ids, so that what was sent before is sent alike again.
 */
export class CallIds {
  readonly #taken = new Set<string>();
  /** How many were made of each. */
  readonly #attempts = new Map<string, number>();

  /**
   * @param reserved ids that stand elsewhere in the transcript: none that is made is one of them
   * @param maxLength of an id that can stay
   */
  constructor(
    private readonly reserved: ReadonlySet<string>,
    private readonly maxLength = Infinity,
  ) {}

  take(wanted: string): string {
    const id = this.#canStay(wanted) ? wanted : this.#made(wanted);
    this.#taken.add(id);
    return id;
  }

  #canStay(id: string): boolean {
    return id.trim() !== '' && id.length <= this.maxLength && id.isWellFormed() && !this.#taken.has(id);
  }

  #made(from: string): string {
    const attempt = (this.#attempts.get(from) ?? 0) + 1;
    this.#attempts.set(from, attempt);
    const id = createHash('sha256').update(`${attempt}\n${from}`).digest('hex').slice(0, LENGTH);
    return this.#taken.has(id) || this.reserved.has(id) ? this.#made(from) : id;
  }
}

/**
 * What a provider wants back, with the new ids of calls in it wherever an old one stands as a whole, as a value or as a key:
 * only the model that wrote it knows its shape.
 */
export function withNewIds(providerState: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (ids.size === 0) return providerState;
  if (typeof providerState === 'string') return ids.get(providerState) ?? providerState;
  if (Array.isArray(providerState)) return providerState.map((each) => withNewIds(each, ids));
  if (!isPlainObject(providerState)) return providerState;
  const entries = Object.entries(providerState).map(([key, value]) => [ids.get(key) ?? key, withNewIds(value, ids)]);
  return Object.fromEntries(entries) as unknown;
}
