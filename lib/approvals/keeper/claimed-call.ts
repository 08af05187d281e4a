import { systemClock } from '../../common/index.js';
import type { RunClaim } from '../../conversations/index.js';
import type { ToolResult } from '../../palette/index.js';
import {
  endedResult,
  type AgentStore,
  type CallRecord,
  type CallResult,
  type CallSettlement,
} from '../ledger/index.js';

type Ending = { readonly state: CallSettlement['state']; readonly result: CallResult };

/** A call that this process, and no other, may run now. The claim is kept alive until it is settled. */
export class ClaimedCall {
  #claim: RunClaim;
  #stop: () => void = () => undefined;

  constructor(
    private readonly store: AgentStore,
    claim: RunClaim,
    readonly record: CallRecord,
    private readonly leaseMs: number,
  ) {
    this.#claim = claim;
    this.#renewLater();
  }

  /**
   * Writes down how the call ended. Where it threw, nobody knows whether it happened: a repeatable one is left to be claimed
   * again, under the same key; any other is `unknown`.
   */
  async settle(result: ToolResult | undefined): Promise<void> {
    this.#stop();
    this.#stop = () => undefined;
    const ending = this.#ending(result);
    const { conversationId, callId } = this.record;
    try {
      if (ending) await this.store.settleCall({ conversationId, callId, fence: this.#claim.fence, ...ending });
    } finally {
      await this.store.releaseRun(this.#claim);
    }
  }

  #ending(result: ToolResult | undefined): Ending | undefined {
    if (result !== undefined) {
      const { isError, content } = result;
      return { state: isError ? 'failed' : 'succeeded', result: { isError, content } };
    }
    return this.record.isRepeatable ? undefined : { state: 'unknown', result: endedResult('unknown') };
  }

  #renewLater(): void {
    this.#stop = systemClock.after(this.leaseMs / 3, () => void this.#renew());
  }

  /** A renewal that fails is tried again; one that is refused means that the claim is another's. */
  async #renew(): Promise<void> {
    const stop = this.#stop;
    const renewed = await this.store.renewRun(this.#claim, this.leaseMs).catch(() => this.#claim);
    if (renewed === undefined || stop !== this.#stop) return;
    this.#claim = renewed;
    this.#renewLater();
  }
}
