import { EgressError, type EgressCallName } from '../egress-error.js';
import type { CallBudget } from './call-budget.js';
import { interruption } from './network-failure.js';

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The one reader of a reply: bytes as they come, counted decoded, one chunk at a time and only when asked for, so that a
 * slow reader slows the upstream. It ends with `undefined` only where the reply was complete.
 */
export class ResponseBody {
  readonly #reader: BodyReader | undefined;
  /** What `peek` read and `read` has not yielded yet. */
  readonly #ahead: Uint8Array[] = [];
  #isAtEnd: boolean;
  #bytes = 0;

  constructor(
    readonly response: Response,
    private readonly call: EgressCallName,
    private readonly budget: CallBudget,
    private readonly maxBytes: number,
  ) {
    this.#reader = response.body?.getReader() as BodyReader | undefined;
    this.#isAtEnd = this.#reader === undefined;
  }

  /** @throws EgressError what the call failed with: its time, its caller, its size, or an upstream that went away. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.budget.failure !== undefined) throw this.budget.failure;
    const chunk = this.#ahead.shift() ?? (await this.#checked());
    if (chunk === undefined) this.budget.end();
    return chunk;
  }

  /** The beginning of the reply, which `read` yields all the same. A reply that breaks off in it is one for `read` to tell. */
  async peek(maxBytes: number): Promise<Uint8Array> {
    let bytes = 0;
    while (bytes < maxBytes) {
      const chunk = await this.#pull().catch(() => undefined);
      if (chunk === undefined) break;
      this.#ahead.push(chunk);
      bytes += chunk.byteLength;
    }
    return Buffer.concat(this.#ahead);
  }

  /** Closes the connection without waiting for the rest. Whoever waits for a chunk is told `failure`. */
  close(failure: EgressError): void {
    this.budget.fail(failure);
  }

  /** Lets go of this reply and not of the call, which goes on with another one. */
  discard(): void {
    if (!this.#isAtEnd) this.#reader?.cancel().catch(() => undefined);
  }

  async #checked(): Promise<Uint8Array | undefined> {
    try {
      const chunk = await this.#pull();
      if (this.#bytes <= this.maxBytes) return chunk;
    } catch (error) {
      throw this.#failed(interruption(this.call, error));
    }
    const parameters = { maxBytes: this.maxBytes };
    throw this.#failed(new EgressError('egress_response_too_large', this.call, { parameters }));
  }

  async #pull(): Promise<Uint8Array | undefined> {
    if (this.#isAtEnd || this.#reader === undefined) return undefined;
    const { done, value } = await this.budget.withinIdle(this.#reader.read());
    this.#isAtEnd = done;
    this.#bytes += value?.byteLength ?? 0;
    return value;
  }

  #failed(failure: EgressError): EgressError {
    this.budget.fail(failure);
    return this.budget.failure ?? failure;
  }
}

/** The whole reply, as one piece. */
export async function readWhole(body: ResponseBody): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The beginning of a reply that nobody needs the rest of; the connection is closed where there is more. */
export async function readBeginning(body: ResponseBody, maxBytes: number, call: EgressCallName): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < maxBytes) continue;
    body.close(new EgressError('egress_cancelled', call));
    break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
