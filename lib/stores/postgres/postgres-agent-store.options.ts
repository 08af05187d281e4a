export interface PostgresAgentStoreOptions {
  /** The schema that the tables are in. Default: `public`. */
  readonly schema?: string | undefined;
  /**
   * Whether writes of journals notify, and readers listen, on one connection of each process that reads. Default: true.
   * Without it, or behind a pooler that lets nobody listen, readers look every `pollMs`.
   */
  readonly push?: boolean | undefined;
  /** How long a reader waits for a push before it looks by itself, in milliseconds. Default: 5,000. */
  readonly pollMs?: number | undefined;
}
