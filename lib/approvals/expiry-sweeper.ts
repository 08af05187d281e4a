import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { systemClock } from '../common/index.js';
import { ApprovalEvents } from './events/approval-events.js';
import type { AgentStore } from './ledger/index.js';
import { APPROVALS_OPTIONS, APPROVALS_STORE, type ResolvedApprovalsOptions } from './options/approvals.options.js';

const BATCH = 100;
const MAX_BATCHES = 10;

/** Lets approvals expire that nobody decided in time, by the store's clock. Each replica does; the store lets each expire once. */
@Injectable()
export class ExpirySweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('ExpirySweeper');
  #isStopped = false;
  #cancel: () => void = () => undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    @Inject(APPROVALS_STORE) private readonly store: AgentStore,
    @Inject(APPROVALS_OPTIONS) private readonly options: ResolvedApprovalsOptions,
    private readonly events: ApprovalEvents,
  ) {}

  onApplicationBootstrap(): void {
    if (this.options.sweepIntervalMs > 0) this.#sweepLater();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#sweeping;
  }

  #sweepLater(): void {
    this.#cancel = systemClock.after(this.options.sweepIntervalMs, () => {
      this.#sweeping = this.#sweep().then(() => {
        if (!this.#isStopped) this.#sweepLater();
      });
    });
  }

  async #sweep(): Promise<void> {
    try {
      for (let batch = 0; batch < MAX_BATCHES && !this.#isStopped; batch++) {
        const expired = await this.store.expireApprovals(BATCH);
        for (const approval of expired) this.events.decided(approval);
        if (expired.length < BATCH) return;
      }
    } catch (error) {
      this.#logger.error('Approvals could not be looked through for what has expired', (error as Error).stack);
    }
  }
}
