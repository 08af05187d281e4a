import { randomUUID } from 'node:crypto';
import { errorMessage, PaletteError } from '../../common/index.js';
import { ConversationError, KeptClaim } from '../../conversations/index.js';
import type { AgentSpan } from '../../telemetry/index.js';
import { toMessages } from '../transcript/index.js';
import type { AgentEvent, DoneEvent, ErrorEvent } from './agent-event.js';
import { AgentRun } from './agent-run.js';
import { readAnswer } from './answer.js';
import { beginRun, queuedItem } from './begin-run.js';
import { eventsOfTaken, followRun } from './follow-run.js';
import { RunJournal, RunLost } from './run-journal.js';
import type { ResolvedRun } from './run-options.js';
import { NO_USAGE } from './run-state.js';

type Events<Result = void> = AsyncGenerator<AgentEvent, Result, undefined>;

/** How driving ended: the run is over, or waits, or is somebody else's now, or could not be written on. */
type Drive = 'over' | 'waiting' | 'lost' | 'interrupted';

/** One call of `runAgent`: begins or takes up a run of a conversation, and drives or follows it until it is over. */
export class ConversationRun {
  readonly #journal: RunJournal;
  #mirroredSeq = 0;

  constructor(private readonly resolved: ResolvedRun) {
    const { store, conversationId } = resolved.context;
    this.#journal = new RunJournal(store, conversationId);
  }

  async *events(): Events {
    for await (const event of this.#told()) {
      this.#mirror();
      yield event.type === 'done' ? await this.#withAnswer(event) : event;
    }
  }

  async *#told(): Events {
    const { context, whenWaiting } = this.resolved;
    await context.store.open(context.conversationId, context.principal);
    let claim = await this.#claimed();
    if (claim === undefined) return yield* this.#busy();
    for (let isFirst = true; ; isFirst = false) {
      const drive: Drive = yield* this.#driven(claim, isFirst);
      if (drive === 'over' || drive === 'interrupted') return;
      const isSuspended = drive === 'waiting' && whenWaiting === 'suspend';
      if (isSuspended) return yield this.#pause('waiting');
      yield* this.#followed(drive);
      if (this.#run === undefined) return;
      claim = await this.#claimed();
      // Another replica was quicker, and drives the run to its end.
      if (claim === undefined) return yield* this.#followed('lost');
    }
  }

  get #run(): RunJournal['state']['run'] {
    return this.#journal.state.run;
  }

  async #claimed(): Promise<KeptClaim | undefined> {
    const { store, conversationId, limits, clock } = this.resolved.context;
    const claim = await store.claimRun(conversationId, randomUUID(), limits.leaseMs);
    return claim && new KeptClaim(store, claim, limits.leaseMs, clock);
  }

  async *#driven(claim: KeptClaim, isFirst: boolean): Events<Drive> {
    let span: AgentSpan | undefined;
    let isBegun = !isFirst;
    try {
      const taken = await this.#journal.refresh();
      if (isBegun) yield* eventsOfTaken(taken);
      span = this.#startSpan();
      const run = new AgentRun(this.resolved.context, this.#journal, claim, span);
      await run.prepare();
      if (!isBegun) await beginRun(this.resolved, this.#journal, run, { fence: claim.fence, trace: span.link });
      isBegun = true;
      const { refusal } = this.resolved;
      if (refusal !== undefined) yield* run.close({ outcome: 'failed', error: refusal });
      yield* run.drive();
      return this.#run === undefined ? 'over' : 'waiting';
    } catch (error) {
      span?.fail(error);
      if (error instanceof RunLost) return 'lost';
      if (!isBegun) throw error;
      yield* this.#interrupted(error);
      return 'interrupted';
    } finally {
      this.#endSpan(span);
      // Where the store fails, the claim ends by itself.
      await claim.release().catch(() => undefined);
    }
  }

  /** What others write: until the run is over, or nothing of it waits any more and it can be taken up. */
  async *#followed(drive: Drive): Events {
    const { signal } = this.resolved.context;
    const runId = this.#run?.runId;
    const isOver = (): boolean => {
      const run = this.#run;
      return run?.runId !== runId || (drive === 'waiting' && run?.pendingApprovals.length === 0);
    };
    yield* followRun(this.#journal, signal, isOver);
  }

  /** Somebody else drives a run of this conversation. */
  async *#busy(): Events {
    const { message, onOpenRun, context } = this.resolved;
    if (message === undefined || onOpenRun !== 'queue') throw new ConversationError('conversation_busy');
    await this.#journal.refresh();
    await this.#journal.queue([queuedItem(message, context.principal)], randomUUID());
    yield this.#pause('queued');
  }

  *#interrupted(error: unknown): Generator<AgentEvent> {
    const { seq, at, runId, agent, step } = this.#pause('interrupted');
    const code = PaletteError.isInstance(error) ? error.code : 'agent_failed';
    const message = errorMessage('agent_failed');
    const told: ErrorEvent = {
      type: 'error',
      seq,
      at,
      runId,
      agent,
      step,
      code,
      message,
      retryable: true,
      cause: error,
    };
    yield told;
    yield this.#pause('interrupted');
  }

  #pause(outcome: DoneEvent['outcome']): DoneEvent {
    const run = this.#run;
    return {
      type: 'done',
      seq: this.#journal.state.lastSeq,
      at: this.resolved.context.clock.now(),
      runId: run?.runId ?? '',
      agent: run?.agent ?? this.resolved.agent.name,
      step: run?.step ?? 0,
      outcome,
      usage: run?.usage ?? NO_USAGE,
      answer: undefined,
      pendingApprovals: run?.pendingApprovals ?? [],
    };
  }

  /** Brings the application's own messages up to what was said, whenever every call has its result. */
  #mirror(): void {
    const { messages, context } = this.resolved;
    const { lastSeq, run } = this.#journal.state;
    if (messages === undefined || lastSeq === this.#mirroredSeq || (run?.openCalls.length ?? 0) > 0) return;
    this.#mirroredSeq = lastSeq;
    messages.splice(context.given.length, Infinity, ...toMessages(this.#journal.entries));
  }

  async #withAnswer(done: DoneEvent): Promise<DoneEvent> {
    const { agent } = this.resolved;
    if (agent.output === undefined || typeof done.answer !== 'string') return done;
    const read = done.agent === agent.name ? await readAnswer(agent, done.answer) : {};
    return { ...done, answer: 'answer' in read ? read.answer : undefined };
  }

  #startSpan(): AgentSpan {
    const { agent, context } = this.resolved;
    const { telemetry, isStored, conversationId, graph } = context;
    const { run, nextAgent } = this.#journal.state;
    const { name, description, model } = graph.agent(run?.agent ?? nextAgent ?? '') ?? agent;
    return telemetry.startAgent({
      agent: name,
      description,
      conversationId: isStored ? conversationId : undefined,
      model: model.name,
      provider: model.provider,
      ...(run?.trace && { links: [run.trace] }),
    });
  }

  #endSpan(span: AgentSpan | undefined): void {
    const { run, endedRun } = this.#journal.state;
    const { usage = NO_USAGE, finishReason } = run ?? endedRun ?? {};
    const { modelCalls, toolCalls, ...tokens } = usage;
    span?.end({ usage: tokens, finishReason, modelCalls, toolCalls });
  }
}
