import { systemClock, type Clock } from '../common/index.js';
import type { ConversationStore, RunClaim } from './conversation-store.js';

/** A claim that is renewed for as long as its holder is at work. */
export class KeptClaim {
  #claim: RunClaim;
  #stop: (() => void) | undefined;

  constructor(
    private readonly store: Pick<ConversationStore, 'renewRun' | 'releaseRun'>,
    claim: RunClaim,
    private readonly leaseMs: number,
    private readonly clock: Clock = systemClock,
  ) {
    this.#claim = claim;
    this.#renewLater();
  }

  get fence(): number {
    return this.#claim.fence;
  }

  /** Renews it now. False: it was lost, and may be another's. */
  async confirm(): Promise<boolean> {
    const renewed = await this.store.renewRun(this.#claim, this.leaseMs);
    if (renewed !== undefined) this.#claim = renewed;
    return renewed !== undefined;
  }

  /** No longer renewed. */
  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async release(): Promise<void> {
    this.stop();
    await this.store.releaseRun(this.#claim);
  }

  #renewLater(): void {
    this.#stop = this.clock.after(this.leaseMs / 3, () => void this.#renew());
  }

  /** A renewal that fails is tried again; one that is refused means that the claim is another's. */
  async #renew(): Promise<void> {
    const stop = this.#stop;
    const renewed = await this.store.renewRun(this.#claim, this.leaseMs).catch(() => this.#claim);
    if (renewed === undefined || stop === undefined || stop !== this.#stop) return;
    this.#claim = renewed;
    this.#renewLater();
  }
}
