import { Injectable, Logger, Optional, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ApprovalEvents } from '../../approvals/index.js';
import { systemClock } from '../../common/index.js';
import { ConversationError } from '../../conversations/index.js';
import { runSideBySide } from '../../dispatch/index.js';
import { AgentRunner } from './agent-runner.js';
import { AgentSetup } from './agent-setup.js';

const BATCH = 20;
/** How long a hint waits for others, in milliseconds: many writes come to one look. */
const GATHER_MS = 100;

/**
 * Goes on with runs that nobody is at: after a decision, after a crash, for queued messages. Each replica looks; the store lets
 * one of them have each run. What pushes is a hint, and the interval finds what no hint told of.
 */
@Injectable()
export class RunSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('RunSweeper');
  readonly #stops: (() => void)[] = [];
  #isStopped = false;
  #isDue = false;
  #cancelNext = (): void => undefined;
  #sweeping: Promise<void> | undefined;

  constructor(
    private readonly setup: AgentSetup,
    private readonly runner: AgentRunner,
    @Optional() private readonly approvals?: ApprovalEvents,
  ) {}

  onApplicationBootstrap(): void {
    if (this.setup.options.resolvePrincipal === undefined || this.setup.sweepIntervalMs === 0) return;
    const { store } = this.setup;
    if (store.onWritten !== undefined) this.#stops.push(store.onWritten(() => this.wake()));
    this.runner.onFreed(() => this.wake());
    if (this.approvals !== undefined) this.#stops.push(this.approvals.add({ onDecided: () => this.wake() }));
    this.#sweepIn(0);
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    this.#cancelNext();
    await this.#sweeping;
  }

  /** Looks soon. */
  wake(): void {
    if (this.#sweeping !== undefined) this.#isDue = true;
    else this.#sweepIn(GATHER_MS);
  }

  #sweepIn(ms: number): void {
    this.#cancelNext();
    if (this.#isStopped) return;
    this.#cancelNext = systemClock.after(ms, () => {
      this.#isDue = false;
      this.#sweeping = this.#sweep().finally(() => {
        this.#sweeping = undefined;
        this.#sweepIn(this.#isDue ? GATHER_MS : this.setup.sweepIntervalMs);
      });
    });
  }

  async #sweep(): Promise<void> {
    try {
      const found = await this.setup.store.runnable(BATCH);
      const tasks = found.map((id) => () => this.#resume(id));
      await runSideBySide(tasks, this.setup.sweepConcurrency);
      if (found.length === BATCH) this.#isDue = true;
    } catch (error) {
      this.#logger.error('Conversations could not be looked through for runs that can go on', stackOf(error));
    }
  }

  async #resume(conversationId: string): Promise<void> {
    if (this.#isStopped) return;
    try {
      const conversation = await this.setup.store.find(conversationId);
      if (conversation === undefined) return;
      const { owner } = conversation;
      await this.runner.resume(conversationId, owner, await this.setup.options.resolvePrincipal?.(owner));
    } catch (error) {
      // Another replica was quicker.
      if (ConversationError.isInstance(error) && error.code === 'conversation_busy') return;
      this.#logger.error(`A run of conversation ${conversationId} could not go on`, stackOf(error));
    }
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
