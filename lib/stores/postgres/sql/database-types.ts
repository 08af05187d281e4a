/** A row, by column. What a value looks like depends on the application's type parsers: read it through `row-values`. */
export type Row = Readonly<Record<string, unknown>>;

/** What is needed of a client of `pg`. */
export interface PgClient {
  query(sql: string, parameters?: unknown[]): Promise<{ readonly rows: Row[] }>;
  release(error?: Error | boolean): void;
  /** Closes the connection. */
  end?(): Promise<void>;
  on(event: 'notification' | 'error' | 'end', listener: EventListener): unknown;
  removeListener(event: string, listener: EventListener): unknown;
}

// Only `any` lets a listener that takes what its event carries stand for one of an emitter that is typed by nobody.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type EventListener = (...values: any[]) => void;

/** What is needed of a pool of `pg`. */
export interface PgPool {
  connect(): Promise<PgClient>;
}

/** What is needed of a query runner of TypeORM. */
export interface PgQueryRunner {
  readonly manager: object;
  /** Yields the client of `pg`. */
  connect(): Promise<unknown>;
  startTransaction(isolationLevel?: 'READ COMMITTED'): Promise<void>;
  commitTransaction(): Promise<void>;
  rollbackTransaction(): Promise<void>;
  release(): Promise<void>;
}

/** What is needed of a `DataSource` of TypeORM, which must be of type `postgres`. */
export interface PgDataSource {
  createQueryRunner(): PgQueryRunner;
}

/** A pool of `pg`, or an initialized `DataSource` of TypeORM. */
export type PostgresDatabase = PgPool | PgDataSource;
