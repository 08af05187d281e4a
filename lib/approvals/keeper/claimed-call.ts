import { KeptClaim, type RunClaim } from '../../conversations/index.js';
import type { ToolResult } from '../../palette/index.js';
import { endingOfError, endingOfResult, type AgentStore, type CallEnding, type CallRecord } from '../ledger/index.js';

/** A call that this process, and no other, may run now. The claim is kept alive until it is settled. */
export class ClaimedCall {
  readonly #claim: KeptClaim;

  constructor(
    private readonly store: AgentStore,
    claim: RunClaim,
    readonly record: CallRecord,
    leaseMs: number,
  ) {
    this.#claim = new KeptClaim(store, claim, leaseMs);
  }

  /**
   * Writes down how the call ended. Where it threw, a repeatable one is left to be claimed again, under the same key; any other
   * has failed where it did not reach its handler, and is `unknown` where it did.
   */
  async settle(result: ToolResult | undefined, error?: unknown): Promise<void> {
    this.#claim.stop();
    const ending = this.#ending(result, error);
    const { conversationId, callId } = this.record;
    try {
      if (ending) await this.store.settleCall({ conversationId, callId, fence: this.#claim.fence, ...ending });
    } finally {
      await this.#claim.release();
    }
  }

  #ending(result: ToolResult | undefined, error: unknown): CallEnding | undefined {
    if (result !== undefined) return endingOfResult(result);
    return this.record.isRepeatable ? undefined : endingOfError(error, false);
  }
}
