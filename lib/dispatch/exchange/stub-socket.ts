import { Duplex } from 'node:stream';

export interface StubSocketOptions {
  /** Where the caller came from, as the application's throttlers and logs are to see it. */
  readonly remoteAddress: string;
  /** Whether the application's server speaks TLS: `req.secure` follows from it. */
  readonly encrypted: boolean;
  readonly onBytes: (bytes: Buffer) => void;
}

type WriteDone = (error?: Error | null) => void;

/** Stands where a network connection would: it has an address and collects what the response writes. */
export class StubSocket extends Duplex {
  readonly remoteAddress: string;
  readonly remotePort = 0;
  readonly remoteFamily: string;
  readonly localAddress = '127.0.0.1';
  readonly localPort = 0;
  readonly encrypted: boolean;
  readonly connecting = false;
  readonly #onBytes: (bytes: Buffer) => void;

  constructor(options: StubSocketOptions) {
    // Nothing drains this stream the way an HTTP server drains its sockets: a finite mark would stop a piped body.
    super({ writableHighWaterMark: Number.MAX_SAFE_INTEGER });
    this.remoteAddress = options.remoteAddress;
    this.remoteFamily = options.remoteAddress.includes(':') ? 'IPv6' : 'IPv4';
    this.encrypted = options.encrypted;
    this.#onBytes = options.onBytes;
  }

  override _read(): void {
    // The request's body is pushed to the request itself.
  }

  /**
   * Takes the bytes at once. What a stream would do around it (buffer, count, tell of each write in a tick of its own) is half
   * of what an exchange would cost, and nobody waits for it: the bytes have arrived.
   */
  override write(chunk: unknown, second?: BufferEncoding | WriteDone | null, third?: WriteDone | null): boolean {
    const done = typeof second === 'function' ? second : third;
    if (!this.writable) return super.write(chunk, typeof second === 'string' ? second : 'utf8', done ?? undefined);
    const encoding = typeof second === 'string' ? second : 'utf8';
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : (chunk as Buffer);
    if (bytes.length > 0) this.#onBytes(bytes);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  }

  /**
   * Nothing is held back: a response corks its socket up to the next tick, and a producer that writes within one tick would be
   * held to no limit, since it is never told to wait.
   */
  override cork(): void {}

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setTimeout(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): { address: string; family: string; port: number } {
    return { address: this.localAddress, family: 'IPv4', port: this.localPort };
  }
}
