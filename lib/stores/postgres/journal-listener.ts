import { connectionOf, type Connection } from './sql/connections.js';
import type { PostgresDatabase } from './sql/database-types.js';
import { fromColumn } from './sql/row-values.js';

interface Notification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** What no conversation is called. */
const ANY = '';

/** Listens on one connection for whoever follows a journal, while anybody does. */
export class JournalListener {
  private readonly waiting = new Map<string, Set<() => void>>();
  private connection: Promise<Connection | undefined> | undefined;

  constructor(
    private readonly database: PostgresDatabase,
    private readonly channel: string,
  ) {}

  /** Calls back whenever the journal of this conversation may have grown; yields what takes that back. */
  subscribe(conversationId: string, wake: () => void): () => void {
    const wakes = this.waiting.get(conversationId) ?? new Set();
    this.waiting.set(conversationId, wakes.add(wake));
    this.listen();
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0) this.waiting.delete(conversationId);
      if (this.waiting.size === 0) void this.stop(false);
    };
  }

  /** Calls back whenever any journal may have grown; yields what takes that back. */
  subscribeToAll(wake: () => void): () => void {
    return this.subscribe(ANY, wake);
  }

  /** Begins to listen where nobody does: at the first reader, and again after the connection was lost. */
  listen(): void {
    this.connection ??= this.start();
  }

  /** Begins again after the connection was lost, where anybody waits. */
  listenAgain(): void {
    if (this.waiting.size > 0) this.listen();
  }

  private async start(): Promise<Connection | undefined> {
    let connection: Connection | undefined;
    try {
      connection = await connectionOf(this.database);
      connection.client.on('notification', this.onNotification);
      connection.client.on('error', this.onLost);
      connection.client.on('end', this.onLost);
      await connection.client.query(`LISTEN "${this.channel}"`);
      this.wakeAll();
      return connection;
    } catch {
      // Whoever reads polls meanwhile, and asks to listen again.
      this.connection = undefined;
      if (connection !== undefined) await this.giveBack(connection, true);
      return undefined;
    }
  }

  /** What was written before this listened counts too. */
  private wakeAll(): void {
    for (const wakes of this.waiting.values()) for (const wake of wakes) wake();
  }

  private async stop(isLost: boolean): Promise<void> {
    const stopped = this.connection;
    this.connection = undefined;
    const connection = await stopped;
    if (connection === undefined) return;
    const isBroken = isLost || !(await this.unlisten(connection));
    await this.giveBack(connection, isBroken);
  }

  private unlisten({ client }: Connection): Promise<boolean> {
    return client.query(`UNLISTEN "${this.channel}"`).then(
      () => true,
      () => false,
    );
  }

  private async giveBack(connection: Connection, isBroken: boolean): Promise<void> {
    const { client } = connection;
    client.removeListener('notification', this.onNotification);
    client.removeListener('end', this.onLost);
    await connection.giveBack(isBroken).catch(() => undefined);
    client.removeListener('error', this.onLost);
  }

  private readonly onNotification = ({ channel, payload = '' }: Notification): void => {
    if (channel !== this.channel) return;
    for (const key of [fromColumn(payload), ANY]) for (const wake of this.waiting.get(key) ?? []) wake();
  };

  private readonly onLost = (): void => void this.stop(true);
}
