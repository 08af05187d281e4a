import { Duplex } from 'node:stream';

export interface StubSocketOptions {
  /** Where the caller came from, as the application's throttlers and logs are to see it. */
  readonly remoteAddress: string;
  /** Whether the application's server speaks TLS: `req.secure` follows from it. */
  readonly encrypted: boolean;
  readonly onBytes: (bytes: Buffer) => void;
}

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

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#onBytes(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    done();
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
