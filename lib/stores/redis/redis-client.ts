/** What is needed of a client of `ioredis`: a `Redis` or a `Cluster`. */
export interface RedisClient {
  /** What the client sets before each key of its own accord. */
  readonly options?: { readonly keyPrefix?: string | undefined };
  evalsha(...command: [sha: string, keys: number, ...values: string[]]): Promise<unknown>;
  eval(...command: [script: string, keys: number, ...values: string[]]): Promise<unknown>;
  info(): Promise<string>;
  duplicate(): RedisSubscriber;
}

/** What is needed of the connection that listens. */
export interface RedisSubscriber {
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
  psubscribe(...patterns: string[]): Promise<unknown>;
  punsubscribe(...patterns: string[]): Promise<unknown>;
  on(event: 'message' | 'pmessage' | 'ready' | 'error' | 'end', listener: EventListener): unknown;
  disconnect(): void;
}

// Only `any` lets a listener that takes what its event carries stand for one of an emitter that is typed by nobody.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type EventListener = (...values: any[]) => void;
