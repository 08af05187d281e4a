import { asyncDispose } from './async-dispose.js';
import type { EgressStream } from './egress-stream.js';

/** Turns the bytes of a reply into items. */
export interface StreamDecoder<Item> {
  /** The items that a chunk completes. */
  push(chunk: Uint8Array): readonly Item[];
  /** The items that the end of a complete reply completes. @throws EgressError where the reply cannot end there. */
  end(): readonly Item[];
  /** True once nothing more is wanted of the stream, however much of it there is. */
  readonly isFinished: boolean;
}

/** Items of a reply as they arrive. Leaving it closes the connection at once. */
export interface EgressItems<Item> extends AsyncIterableIterator<Item> {
  return(): Promise<IteratorResult<Item>>;
  throw(error?: unknown): Promise<IteratorResult<Item>>;
  [asyncDispose](): Promise<void>;
}

/** Reads the stream only when an item is asked for, and closes it when the decoder is finished or refuses. */
export class DecodedStream<Item> implements EgressItems<Item> {
  readonly #items: Item[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isEnded = false;
  #error: unknown;

  constructor(
    private readonly stream: EgressStream,
    private readonly decoder: StreamDecoder<Item>,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => undefined);
    return result;
  }

  async return(): Promise<IteratorResult<Item>> {
    this.#end();
    await this.stream.return();
    return { done: true, value: undefined };
  }

  async throw(error?: unknown): Promise<IteratorResult<Item>> {
    this.#end();
    await this.stream.return();
    throw error;
  }

  async [asyncDispose](): Promise<void> {
    await this.return();
  }

  async #next(): Promise<IteratorResult<Item>> {
    while (this.#items.length === 0 && !this.#isEnded) await this.#fill();
    const item = this.#items.shift();
    if (item !== undefined) return { done: false, value: item };
    if (this.#error !== undefined) throw this.#error;
    return { done: true, value: undefined };
  }

  async #fill(): Promise<void> {
    try {
      const { done, value } = await this.stream.next();
      if (this.#isEnded) return;
      const isOver = done === true;
      this.#items.push(...(isOver ? this.decoder.end() : this.decoder.push(value)));
      this.#isEnded ||= isOver || this.decoder.isFinished;
      if (this.decoder.isFinished) await this.stream.return();
    } catch (error) {
      this.#error = error;
      this.#isEnded = true;
      await this.stream.return();
    }
  }

  #end(): void {
    this.#isEnded = true;
    this.#items.length = 0;
  }
}
