/** What one call may say about itself. */
export interface EgressCallOptions {
  /** Aborts when the caller no longer wants the answer; the connection is closed at once. */
  readonly signal?: AbortSignal | undefined;
  /** When the caller's own work must be done, in milliseconds since the epoch. The smaller of this and the time-out holds. */
  readonly deadline?: number | undefined;
  /**
   * Names this call for an upstream that does a thing once however often it is told; 255 visible ASCII characters at most.
   * Sent where the service has an `idempotencyKeyHeader`, the same for every attempt.
   */
  readonly idempotencyKey?: string | undefined;
  /** Replaces the service's `timeoutMs` for this call. */
  readonly timeoutMs?: number | undefined;
}
