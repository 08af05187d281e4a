import type { RedisClient, RedisSubscriber } from './redis-client.js';

/** Those who only look whether there is something come and go: a connection for each would cost more than to keep one. */
const LINGER_MS = 1000;
/** What no channel is called. */
const ANY = '';

/** Subscribes, on one connection, to the channels of the journals that somebody follows, while anybody does. */
export class JournalSubscriber {
  /** By channel. */
  private readonly waiting = new Map<string, Set<() => void>>();
  /** Of the channels of all journals. */
  private readonly pattern: string;
  private connection: RedisSubscriber | undefined;
  private lingering: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param prefix what the channels of all journals begin with */
  constructor(
    private readonly client: RedisClient,
    prefix: string,
  ) {
    this.pattern = `${prefix.replace(/[\\*?[\]^]/g, '\\$&')}*`;
  }

  /** Calls back whenever the journal of this channel may have grown; yields what takes that back. */
  subscribe(channel: string, wake: () => void): () => void {
    const wakes = this.waiting.get(channel) ?? new Set();
    const isFirst = wakes.size === 0;
    this.waiting.set(channel, wakes.add(wake));
    if (this.connection === undefined) this.listen();
    else if (isFirst) void this.hear(this.connection, [channel]);
    return () => this.leave(channel, wake);
  }

  /** Calls back whenever any journal may have grown; yields what takes that back. */
  subscribeToAll(wake: () => void): () => void {
    return this.subscribe(ANY, wake);
  }

  /** Begins to listen where nobody does: at the first reader, and again after the client gave its connection up. */
  listen(): void {
    if (this.isClosed || this.connection !== undefined || this.waiting.size === 0) return;
    const connection = this.client.duplicate();
    this.connection = connection;
    // Whoever reads polls meanwhile, and the client connects again by itself.
    connection.on('error', () => undefined);
    connection.on('message', (channel: string) => this.wake(channel));
    connection.on('pmessage', () => this.wake(ANY));
    connection.on('ready', () => void this.hear(connection, [...this.waiting.keys()]));
    connection.on('end', () => this.lose(connection));
    void this.hear(connection, [...this.waiting.keys()]);
  }

  /** Ends the connection. Whoever follows a journal goes on by looking. */
  close(): void {
    this.isClosed = true;
    this.stop();
  }

  private async hear(connection: RedisSubscriber, channels: readonly string[]): Promise<void> {
    if (channels.length === 0) return;
    const single = channels.filter((channel) => channel !== ANY);
    try {
      if (single.length > 0) await connection.subscribe(...single);
      if (single.length < channels.length) await connection.psubscribe(this.pattern);
    } catch {
      return;
    }
    // What was written before this listened counts too.
    for (const channel of channels) this.wake(channel);
  }

  private wake(channel: string): void {
    for (const wake of this.waiting.get(channel) ?? []) wake();
  }

  private leave(channel: string, wake: () => void): void {
    const wakes = this.waiting.get(channel);
    wakes?.delete(wake);
    if (wakes?.size !== 0) return;
    this.waiting.delete(channel);
    const { connection } = this;
    const left = channel === ANY ? connection?.punsubscribe(this.pattern) : connection?.unsubscribe(channel);
    left?.catch(() => undefined);
    if (this.waiting.size === 0) this.stopSoon();
  }

  private stopSoon(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => {
      if (this.waiting.size === 0) this.stop();
    }, LINGER_MS).unref();
  }

  private lose(connection: RedisSubscriber): void {
    if (this.connection === connection) this.connection = undefined;
  }

  private stop(): void {
    clearTimeout(this.lingering);
    const { connection } = this;
    this.connection = undefined;
    connection?.disconnect();
  }
}
