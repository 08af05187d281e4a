import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, Optional, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ApprovalEvents } from '../../approvals/index.js';
import { systemClock, type CallerContext, type Principal } from '../../common/index.js';
import { ConversationError } from '../../conversations/index.js';
import { untilAborted } from '../run/index.js';
import { AgentRunner } from './agent-runner.js';
import { AgentSetup } from './agent-setup.js';

const BATCH = 20;
/** How long a hint waits for others, in milliseconds: many writes come to one look. */
const GATHER_MS = 100;
/** How long runs that are left have for their last writes, besides the grace of their tools, in milliseconds. */
const LAST_WRITES_MS = 2_000;

/**
 * Goes on with runs that nobody is at: after a decision, after a crash, for queued messages. Each replica looks; the store lets
 * one of them have each run. What pushes is a hint, and the interval finds what no hint told of. A run that takes long keeps
 * nobody from looking for others, as long as fewer than `sweepConcurrency` do.
 */
@Injectable()
export class RunSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('RunSweeper');
  readonly #stops: (() => void)[] = [];
  /**
   * That of the application's beginning. A hint comes in that of whoever wrote or decided: what they keep in it, a tenant or a
   * transaction, is not for the runs of others.
   */
  readonly #context = new AsyncResource('RunSweeper');
  /** Leaves what is still being driven. */
  readonly #leave = new AbortController();
  /** The runs that this replica goes on with, by their conversation. */
  readonly #resumed = new Map<string, Promise<void>>();
  /** Conversations whose run could not go on: they are left alone until the interval is over. */
  readonly #held = new Set<string>();
  #isStopped = false;
  #nextAt = Infinity;
  #cancelNext = (): void => undefined;
  #cancelInterval = (): void => undefined;
  #looking: Promise<void> | undefined;

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
    this.#lookIn(0);
    this.#everyInterval();
  }

  /** What is begun is brought to its end, where that comes in time. What is not is left open for another replica. */
  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    this.#cancelNext();
    this.#cancelInterval();
    const { shutdownGraceMs, run } = this.setup;
    const idle = this.#idle();
    if (await comesWithin(idle, shutdownGraceMs)) return;
    this.#leave.abort();
    if (await comesWithin(idle, run.limits.graceMs + LAST_WRITES_MS)) return;
    const ids = [...this.#resumed.keys()].join(', ');
    this.#logger.warn(
      `Conversations are held until their leases end, since their runs could not be left in time: ${ids}`,
    );
  }

  async #idle(): Promise<void> {
    await this.#looking;
    await Promise.all(this.#resumed.values());
  }

  /** Looks soon. */
  wake(): void {
    this.#lookIn(GATHER_MS);
  }

  #everyInterval(): void {
    this.#cancelInterval = systemClock.after(this.setup.sweepIntervalMs, () => {
      this.#held.clear();
      this.#lookIn(0);
      this.#everyInterval();
    });
  }

  /** Looks in this time, or earlier where that is arranged: hints that keep coming put nothing off. */
  #lookIn(ms: number): void {
    const at = systemClock.now() + ms;
    if (this.#isStopped || at >= this.#nextAt) return;
    this.#cancelNext();
    this.#nextAt = at;
    this.#cancelNext = this.#context.runInAsyncScope(() => systemClock.after(ms, () => this.#lookNext()));
  }

  #lookNext(): void {
    this.#nextAt = Infinity;
    // One look at a time: what was written meanwhile is seen by the next one.
    this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#look());
  }

  async #look(): Promise<void> {
    const { store, sweepConcurrency } = this.setup;
    // Each run that ends makes room, and is told of.
    if (this.#isStopped || this.#resumed.size >= sweepConcurrency) return;
    try {
      const limit = BATCH + this.#resumed.size + this.#held.size;
      const found = await store.runnable(limit);
      const free = found.filter((id) => !this.#resumed.has(id) && !this.#held.has(id));
      for (const id of free.slice(0, sweepConcurrency - this.#resumed.size)) this.#take(id);
    } catch (error) {
      this.#logger.error('Conversations could not be looked through for runs that can go on', stackOf(error));
    }
  }

  #take(conversationId: string): void {
    const resumed = this.#resume(conversationId).finally(() => {
      this.#resumed.delete(conversationId);
      this.wake();
    });
    this.#resumed.set(conversationId, resumed);
  }

  async #resume(conversationId: string): Promise<void> {
    const { signal } = this.#leave;
    if (this.#isStopped) return;
    try {
      const conversation = await this.setup.store.find(conversationId);
      if (conversation === undefined) return;
      const { owner } = conversation;
      const caller = await untilAborted(this.#resolved(owner), signal);
      const outcome = await this.runner.resume(conversationId, owner, caller, signal);
      if (outcome === 'interrupted') this.#held.add(conversationId);
    } catch (error) {
      if (signal.aborted) return;
      // Another replica was quicker.
      if (ConversationError.isInstance(error) && error.code === 'conversation_busy') return;
      this.#held.add(conversationId);
      this.#logger.error(`A run of conversation ${conversationId} could not go on`, stackOf(error));
    }
  }

  async #resolved(owner: Principal): Promise<CallerContext | undefined> {
    return this.setup.options.resolvePrincipal?.(owner);
  }
}

/** Whether the work is done by then. Unlike others, this timer keeps the process: somebody waits for it. */
async function comesWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
