import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ApprovalRecord } from '../ledger/index.js';
import { APPROVALS_OPTIONS, type ResolvedApprovalsOptions } from '../options/approvals.options.js';
import type { ApprovalNotifier } from './approval-notifier.js';

/** Tells notifiers of what happened on this replica, once it is stored. */
@Injectable()
export class ApprovalEvents {
  readonly #logger = new Logger('ApprovalEvents');
  readonly #notifiers: Set<ApprovalNotifier>;

  constructor(@Inject(APPROVALS_OPTIONS) options: ResolvedApprovalsOptions) {
    this.#notifiers = new Set(options.notifiers);
  }

  /** Adds a notifier, for providers of the application. @returns takes it away again */
  add(notifier: ApprovalNotifier): () => void {
    this.#notifiers.add(notifier);
    return () => this.#notifiers.delete(notifier);
  }

  /** For whoever proposed it. */
  requested(approval: ApprovalRecord): void {
    for (const notifier of this.#notifiers) this.#tell('onRequested', notifier, approval);
  }

  /** For whoever settled it. */
  decided(approval: ApprovalRecord): void {
    for (const notifier of this.#notifiers) this.#tell('onDecided', notifier, approval);
  }

  #tell(what: 'onRequested' | 'onDecided', notifier: ApprovalNotifier, approval: ApprovalRecord): void {
    const tell = async () => notifier[what]?.(approval);
    tell().catch((error: unknown) => {
      this.#logger.error(
        `${what} of approval ${approval.approvalId} failed`,
        error instanceof Error ? error.stack : '',
      );
    });
  }
}
