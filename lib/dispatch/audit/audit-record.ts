/** What is kept of one call of an operation: who, what, how it ended. Never arguments, never the answer. */
export interface AuditRecord {
  /** The way in: a tool call, or plain HTTP. */
  readonly surface: 'tool' | 'http';
  /** The operation's name; undefined where a tool call named none. */
  readonly operation: string | undefined;
  readonly palette: string | undefined;
  readonly toolCallId: string | undefined;
  /** Who called, as the application's own hook names it; undefined before a guard knew. */
  readonly principal: string | undefined;
  /** `ok`, or the code that the call ended with. */
  readonly outcome: string;
  readonly durationMs: number;
  /** Size of the answer's body. */
  readonly bytes: number;
}

/** Where audit records go. It is called once a call; what it throws is logged and changes nothing. */
export interface AuditSink {
  /** Nobody waits for a promise that it yields; a rejection of it is logged. Whatever else it yields is dropped. */
  record(record: AuditRecord): unknown;
}

export interface AuditOptions {
  /** Default: a debug line of Nest's logger. */
  readonly sink?: AuditSink;
  /**
   * Names the caller of a request that passed the first guard (Express's or Fastify's request, `request.user` and all).
   * Default: nobody is named.
   */
  readonly principal?: (request: object) => string | undefined;
  /** Whether calls over plain HTTP are recorded too. Default: false. */
  readonly http?: boolean;
}
