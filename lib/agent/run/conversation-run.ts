import { randomUUID } from 'node:crypto';
import { isReservedConversation } from '../../approvals/index.js';
import { ConversationError, KeptClaim } from '../../conversations/index.js';
import type { AgentSpan } from '../../telemetry/index.js';
import { AgentError } from '../agent-error.js';
import { toMessages } from '../transcript/index.js';
import type { AgentEvent, DoneEvent } from './agent-event.js';
import { AgentRun } from './agent-run.js';
import { readAnswer } from './answer.js';
import { beginRun, queuedItem } from './begin-run.js';
import { eventsOfTaken, followRun } from './follow-run.js';
import { toldError } from './run-ending.js';
import { RunJournal, RunLost } from './run-journal.js';
import { isLeft, RunLeft } from './run-left.js';
import type { ResolvedRun } from './run-options.js';
import { NO_USAGE } from './run-state.js';
import { timeLimit } from './time-limit.js';

type Events<Result = void> = AsyncGenerator<AgentEvent, Result, undefined>;

/**
 * How driving ended: the run is over, or waits, or is somebody else's now, or is left to somebody else, or could not be written on.
 * `busy`: the conversation became somebody else's before there was a run.
 */
type Drive = 'over' | 'waiting' | 'lost' | 'left' | 'interrupted' | 'busy';

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
    const { store, conversationId, principal } = this.resolved.context;
    checkMessage(this.resolved.message);
    // Ids come from clients: whoever began one of those would keep its calls from being proposed.
    if (isReservedConversation(conversationId)) throw new ConversationError('conversation_unknown');
    await store.open(conversationId, principal);
    const claim = await this.#claimed();
    const drive = claim === undefined ? 'busy' : yield* this.#driven(claim, true);
    if (drive === 'busy') return yield* this.#busy();
    try {
      yield* this.#wentOn(drive);
    } catch (error) {
      yield* this.#interrupted(error);
    }
  }

  /** What comes after this process first stopped driving: here or elsewhere, until the run is over. */
  async *#wentOn(first: Drive): Events {
    const { context, whenWaiting } = this.resolved;
    const runId = this.#run?.runId;
    let drive = first;
    while (drive === 'waiting' || drive === 'lost') {
      if (drive === 'waiting' && whenWaiting === 'suspend') return yield this.#pause('waiting');
      yield* this.#followed(drive);
      if (this.#run?.runId !== runId) return;
      const claim = isLeft(context.signal) ? undefined : await this.#claimed();
      if (claim !== undefined) drive = yield* this.#driven(claim, false);
      else if (context.signal.aborted) return yield this.#pause('interrupted');
      // Another replica was quicker.
      else drive = 'lost';
    }
    if (drive === 'left') yield this.#pause('interrupted');
  }

  get #run(): RunJournal['state']['run'] {
    return this.#journal.state.run;
  }

  async #claimed(): Promise<KeptClaim | undefined> {
    const { store, conversationId, limits, clock } = this.resolved.context;
    const claim = await store.claimRun(conversationId, randomUUID(), limits.leaseMs);
    if (claim !== undefined) this.resolved.onClaimed?.();
    return claim && new KeptClaim(store, claim, limits.leaseMs, clock);
  }

  async *#driven(claim: KeptClaim, isFirst: boolean): Events<Drive> {
    let span: AgentSpan | undefined;
    let run: AgentRun | undefined;
    let isBegun = !isFirst;
    let thrown: unknown;
    try {
      for (const taken of await this.#journal.refresh()) {
        if (isFirst) continue;
        yield* eventsOfTaken([taken]);
        // Another replica was quicker, and what is open now is another run.
        if (taken.entry.item.type === 'run_ended') return 'over';
      }
      const { cancels } = this.resolved;
      if (cancels !== undefined && this.#run?.runId !== cancels) return 'over';
      span = this.#startSpan();
      const { context, refusal } = isFirst ? this.resolved : await this.#resolvedNow();
      run = new AgentRun(context, this.#journal, claim, span);
      await run.prepare();
      if (cancels !== undefined) {
        yield* run.close({ outcome: 'cancelled' });
        return 'over';
      }
      if (!isBegun) await beginRun(this.resolved, this.#journal, run, { fence: claim.fence, trace: span.link });
      isBegun = true;
      this.resolved.onBegun?.(this.#run?.runId);
      this.#checkAgent();
      if (refusal !== undefined) yield* run.close({ outcome: 'failed', error: refusal });
      yield* run.drive();
      return this.#run === undefined ? 'over' : 'waiting';
    } catch (error) {
      if (error instanceof RunLeft) return 'left';
      thrown = error;
      if (error instanceof RunLost) return isBegun ? 'lost' : 'busy';
      if (!isBegun) throw error;
      yield* this.#interrupted(error);
      return 'interrupted';
    } finally {
      this.#endSpan(span, thrown ?? run?.failure);
      // Where the store fails, the claim ends by itself.
      await claim.release().catch(() => undefined);
    }
  }

  /** Another version of the application may have the agent of an open run: it is left to that one, or to a new message. */
  #checkAgent(): void {
    const agent = this.#run?.agent;
    if (agent === undefined || this.resolved.context.graph.agent(agent) !== undefined) return;
    throw new AgentError('agent_unknown', { parameters: { agent } });
  }

  /** The person may be another by now than when the run was asked for: their token is over, or they are no longer let in. */
  async #resolvedNow(): Promise<Pick<ResolvedRun, 'context' | 'refusal'>> {
    const { context, refusal, resolveCaller } = this.resolved;
    if (resolveCaller === undefined) return { context, refusal };
    const caller = await resolveCaller(this.#run?.principal ?? context.principal);
    if (caller === undefined) return { context, refusal: new AgentError('agent_principal_refused') };
    return { context: { ...context, caller }, refusal };
  }

  /** What others write: until the run is over, or nothing of it waits any more and it can be taken up. */
  async *#followed(drive: Drive): Events {
    const { clock, signal, limits } = this.resolved.context;
    const runId = this.#run?.runId;
    const isOver = (): boolean => {
      const run = this.#run;
      return run?.runId !== runId || (drive === 'waiting' && run?.pendingApprovals.length === 0);
    };
    // Whoever drives it may die as well: then it can be had when the lease is over.
    const limit = timeLimit(clock, signal, drive === 'lost' ? limits.leaseMs : undefined, 'a lease');
    try {
      yield* followRun(this.#journal, limit.signal, isOver);
    } finally {
      limit.end();
    }
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
    const place = { seq, at, runId, agent, step };
    yield { type: 'error', ...place, ...toldError(error), retryable: true, cause: error };
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

  #endSpan(span: AgentSpan | undefined, failure: unknown): void {
    const { run, endedRun } = this.#journal.state;
    const { usage = NO_USAGE, finishReason } = run ?? endedRun ?? {};
    const { modelCalls, toolCalls, ...tokens } = usage;
    const result = { usage: tokens, finishReason, modelCalls, toolCalls };
    if (failure === undefined) span?.end(result);
    else span?.fail(failure, result);
  }
}

/** Before anything is given up for it or written: it may come straight from a client, of any type. */
function checkMessage(message: unknown): void {
  if (message === undefined || (typeof message === 'string' && message.trim() !== '')) return;
  throw new AgentError('agent_message_invalid');
}
