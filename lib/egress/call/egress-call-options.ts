/** What one call may say about itself. */
export interface EgressCallOptions {
  /** Aborts when the caller no longer wants the answer; the connection is closed at once. */
  readonly signal?: AbortSignal | undefined;
  /** When the caller's own work must be done, in milliseconds since the epoch. The smaller of this and the time-out holds. */
  readonly deadline?: number | undefined;
  /** Replaces the service's `timeoutMs` for this call. */
  readonly timeoutMs?: number | undefined;
}
