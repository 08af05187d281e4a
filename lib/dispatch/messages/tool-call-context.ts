import type { AgentCallInfo } from '../tool-call-state.js';

/**
 * What a message handler gets as its context (`@Ctx()`) when a tool call reaches it: the shape of Nest's own contexts, with
 * the caller's forwarded headers in it.
 */
export class ToolCallContext {
  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    /** What is known of the tool call. */
    readonly call: AgentCallInfo,
    /** Aborts at the deadline and when the caller goes away. */
    readonly signal: AbortSignal,
    /** The caller's address, where it is known. */
    readonly remoteAddress?: string,
  ) {}

  /** The caller's headers that the allow-list lets through, lower-case names. */
  getHeaders(): Readonly<Record<string, string>> {
    return this.headers;
  }

  getArgs(): [Readonly<Record<string, string>>] {
    return [this.headers];
  }

  getArgByIndex(index: number): unknown {
    return this.getArgs()[index];
  }
}
