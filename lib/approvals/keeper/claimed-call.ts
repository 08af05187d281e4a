import { KeptClaim, type RunClaim } from '../../conversations/index.js';
import type { ToolResult } from '../../palette/index.js';
import { endingOfError, endingOfResult, type AgentStore, type CallEnding, type CallRecord } from '../ledger/index.js';

type Run = () => Promise<ToolResult>;

/** Takes a transaction back, and keeps what was answered in it. */
class TakenBack extends Error {
  constructor(readonly result: ToolResult | undefined) {
    super('the call did not succeed, or its claim was lost');
  }
}

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
   * Runs the call, writes down how it ended, and lets go of the claim. Where it threw, a repeatable one is left to be claimed
   * again, under the same key; any other has failed where it did not reach its handler, and is `unknown` where it did.
   */
  async run(call: Run): Promise<ToolResult> {
    let result: ToolResult | undefined;
    let thrown: unknown;
    try {
      result = await call();
      return result;
    } catch (error) {
      thrown = error;
      throw error;
    } finally {
      await this.#ended(this.#ending(result, thrown));
    }
  }

  /**
   * As `run`, with what the call does and its settlement in one transaction of the store: of a call that does not succeed
   * nothing stays. Undefined where the claim was lost meanwhile: then nothing stays either, and another runs it.
   */
  async runTogether(call: Run, transaction: NonNullable<AgentStore['transaction']>): Promise<ToolResult | undefined> {
    let ending: CallEnding | undefined;
    try {
      return await transaction(async () => {
        const result = await call();
        if (result.isError || !(await this.#settle(endingOfResult(result)))) {
          throw new TakenBack(result.isError ? result : undefined);
        }
        return result;
      });
    } catch (error) {
      if (!(error instanceof TakenBack)) {
        ending = this.#ending(undefined, error);
        throw error;
      }
      ending = error.result && endingOfResult(error.result);
      return error.result;
    } finally {
      await this.#ended(ending);
    }
  }

  async #ended(ending: CallEnding | undefined): Promise<void> {
    this.#claim.stop();
    try {
      if (ending) await this.#settle(ending);
    } finally {
      await this.#claim.release();
    }
  }

  #settle(ending: CallEnding): Promise<boolean> {
    const { conversationId, callId } = this.record;
    return this.store.settleCall({ conversationId, callId, fence: this.#claim.fence, ...ending });
  }

  #ending(result: ToolResult | undefined, error: unknown): CallEnding | undefined {
    if (result !== undefined) return endingOfResult(result);
    return this.record.isRepeatable ? undefined : endingOfError(error, false);
  }
}
