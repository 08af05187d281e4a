/** Who is calling: what a tool call carries over from the request that began it. */
export interface CallerContext {
  /** Headers of the caller's own request, lower-case names. The dispatcher forwards an allow-list of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's address as the application saw it; throttlers count by it. */
  readonly remoteAddress?: string;
  /** When the whole request must be done, in milliseconds since the epoch. */
  readonly deadline?: number;
  /** Aborts when the caller went away. */
  readonly signal?: AbortSignal;
  /**
   * Makes a repeat of what the caller asked for recognisable. The dispatcher derives a key for each tool call from it: one
   * request may lead to several.
   */
  readonly idempotencyKey?: string;
}
