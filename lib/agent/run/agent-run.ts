import {
  endedResult,
  FINAL_CALL_STATES,
  type CallRecord,
  type CallResult,
  type Withdrawal,
} from '../../approvals/index.js';
import type { JournalItem, KeptClaim, RunEndedItem } from '../../conversations/index.js';
import type { AgentSpan } from '../../telemetry/index.js';
import type { Agent } from '../definition/index.js';
import type { ModelReply } from '../model/index.js';
import { toolboxOf, type Toolbox } from '../tools/index.js';
import type { AgentEvent, MessageDeltaEvent } from './agent-event.js';
import { answerShape, readAnswer } from './answer.js';
import { closeCalls } from './close-calls.js';
import { executeCalls } from './execute-calls.js';
import { eventsOfTaken } from './follow-run.js';
import { modelTurn } from './model-turn.js';
import { assistantItem, planStep } from './plan-step.js';
import { promptOf, systemOf } from './prompt.js';
import type { RunContext } from './run-context.js';
import { endingOf, toldError, type Ending } from './run-ending.js';
import { isLeft } from './run-left.js';
import { RunLost, type RunJournal, type TakenEntry } from './run-journal.js';
import type { OpenRun } from './run-state.js';
import { spentBudget } from './spent-budget.js';
import { handoffItems, resultItems, resultsOf } from './step-results.js';
import { timeLimit, untilAborted } from './time-limit.js';

type Events<Result = void> = AsyncGenerator<AgentEvent, Result, undefined>;

/** Whose turn it is, and what that agent can call. */
interface Turn {
  readonly run: OpenRun;
  readonly agent: Agent;
  readonly toolbox: Toolbox;
}

/** Drives the open run of a conversation that this process has claimed: ask, act, ask again. */
export class AgentRun {
  #toolboxes = new Map<string, Promise<Toolbox>>();
  #failure: unknown;

  constructor(
    private readonly context: RunContext,
    private readonly journal: RunJournal,
    private readonly claim: KeptClaim,
    private readonly span: AgentSpan,
  ) {}

  /** Before anything else: calls that a process died with, and that may not be repeated, are `unknown`. */
  async prepare(): Promise<void> {
    if ((this.#run?.openCalls.length ?? 0) === 0) return;
    await this.context.store.abandonCalls(this.context.conversationId, this.claim.fence);
  }

  /**
   * Goes on until the run has ended, or waits for a person.
   * @throws RunLost; RunLeft; what the store throws
   */
  async *drive(): Events {
    const { clock, signal, limits } = this.context;
    const limit = timeLimit(clock, signal, limits.timeouts.totalMs, 'the whole run');
    try {
      while (this.#run !== undefined) {
        if ((yield* this.#step(limit.signal)) === 'waiting') return;
      }
    } finally {
      limit.end();
    }
  }

  /** Ends the run: every call that is open gets a result first. */
  async *close({ outcome, error, as = 'cancelled' }: Ending): Events {
    if (this.#run === undefined) return;
    // A store that fails may have written all the same.
    yield* eventsOfTaken(await this.journal.refresh());
    const run = this.#run;
    if (run === undefined) return;
    this.#failure = error;
    const closed = run.openCalls.length === 0 ? [] : await this.#closedCalls(run, as);
    const { runId } = run;
    const agent = closed.find((item) => item.type === 'handoff')?.to ?? run.agent;
    const ended: RunEndedItem = {
      type: 'run_ended',
      runId,
      outcome,
      agent,
      ...(error !== undefined && toldError(error)),
    };
    const taken = await this.#append([...closed, ended], `${runId}/end`);
    for (const event of eventsOfTaken(taken)) yield event.type === 'error' ? { ...event, cause: error } : event;
  }

  /** What the run failed of; undefined while it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  get #run(): OpenRun | undefined {
    return this.journal.state.run;
  }

  async *#step(signal: AbortSignal): Events<'waiting' | undefined> {
    const { clock, limits } = this.context;
    const limit = timeLimit(clock, signal, limits.timeouts.stepMs, 'one step');
    try {
      const isBegun = (this.#run?.openCalls.length ?? 0) > 0;
      if (!isBegun) yield* this.#ask(limit.signal);
      if ((this.#run?.openCalls.length ?? 0) === 0) return undefined;
      return yield* this.#act(limit.signal);
    } catch (error) {
      if (error instanceof RunLost) throw error;
      if (isLeft(limit.signal)) throw limit.signal.reason;
      yield* this.close(endingOf(error, limit.signal));
      return undefined;
    } finally {
      limit.end();
    }
  }

  /** One reply of the model, written down: an answer, or calls. */
  async *#ask(signal: AbortSignal): Events {
    signal.throwIfAborted();
    const turn = await this.#turn(signal);
    const { limits } = this.context;
    const spent = spentBudget(limits.budget, turn.run, this.journal.entries);
    if (spent !== undefined) return yield* this.close({ outcome: 'budget_exceeded', error: spent });
    const isLast = turn.run.step >= limits.maxSteps;
    if (isLast && !limits.closingAnswer) return yield* this.close({ outcome: 'max_steps' });
    const reply = yield* this.#reply(turn, isLast, signal);
    if (isLast) yield* this.#answer(turn, { ...reply, toolCalls: [] }, 'max_steps');
    else if (reply.toolCalls.length === 0) yield* this.#answer(turn, reply, 'completed');
    else yield* this.#propose(turn, reply, signal);
  }

  async #turn(signal: AbortSignal): Promise<Turn> {
    const run = this.#run as OpenRun;
    const { graph, caller, dispatcher } = this.context;
    // Runs of agents that are not there are not driven.
    const agent = graph.agent(run.agent) as Agent;
    const known = this.#toolboxes.get(agent.name) ?? toolboxOf(agent, graph, dispatcher, caller);
    this.#toolboxes.set(agent.name, known);
    const toolbox = await untilAborted(known, signal);
    return { run, agent, toolbox };
  }

  async *#reply({ run, agent, toolbox }: Turn, isLast: boolean, signal: AbortSignal): Events<ModelReply> {
    const { graph, given, telemetry, clock, limits, caller, principal } = this.context;
    const conversationId = this.context.isStored ? this.context.conversationId : undefined;
    const about = { agent: agent.name, conversationId, principal, caller };
    const system = await untilAborted(systemOf(agent, about), signal);
    const request = {
      messages: promptOf(agent, graph, given, this.journal.entries),
      tools: toolbox.definitions,
      ...(system !== undefined && { system }),
      ...(isLast && { toolChoice: 'none' as const }),
      output: answerShape(agent),
      ...(agent.maxOutputTokens !== undefined && { maxOutputTokens: agent.maxOutputTokens }),
      ...(agent.temperature !== undefined && { temperature: agent.temperature }),
    };
    const { timeouts } = limits;
    const turn = modelTurn({ model: agent.model, request, signal, clock, timeouts, telemetry, conversationId });
    try {
      for (;;) {
        const next = await this.span.run(() => turn.next());
        if (next.done === true) return next.value;
        yield this.#delta(run, next.value);
      }
    } finally {
      await turn.return(undefined as never);
    }
  }

  #delta({ runId, agent, step }: OpenRun, text: string): MessageDeltaEvent {
    const { lastSeq } = this.journal.state;
    return { type: 'message_delta', seq: lastSeq, at: this.context.clock.now(), runId, agent, step: step + 1, text };
  }

  async *#answer({ run, agent }: Turn, reply: ModelReply, outcome: 'completed' | 'max_steps'): Events {
    const step = run.step + 1;
    const message = assistantItem({ run, step, reply });
    const read = await readAnswer(agent, message.text);
    const error = 'error' in read && outcome === 'completed' ? read.error : undefined;
    this.#failure = error;
    const ended: RunEndedItem = {
      type: 'run_ended',
      runId: run.runId,
      outcome: error === undefined ? outcome : 'failed',
      agent: run.agent,
      ...(error !== undefined && toldError(error)),
    };
    const items = message.text.trim() === '' ? [ended] : [message, ended];
    yield* eventsOfTaken(await this.#append(items, `${run.runId}/answer/${step}`));
  }

  async *#propose({ run, toolbox }: Turn, reply: ModelReply, signal: AbortSignal): Events {
    const { caller, limits, approvals, conversationId, store } = this.context;
    const step = run.step + 1;
    const hasTransactions = store.transaction !== undefined;
    const drafts = approvals?.drafts;
    const asked = { run, step, reply, toolbox, limits, caller, conversationId, hasTransactions, drafts };
    const plan = await untilAborted(planStep(asked), signal);
    const operationId = `${run.runId}/propose/${step}`;
    const taken = await this.journal.propose({ ...plan, operationId, fence: this.claim.fence });
    for (const { approvalId } of plan.approvals) {
      this.span.approvalRequested({ id: approvalId, state: 'pending' });
      const approval = await store.approval(approvalId);
      if (approval !== undefined) approvals?.events.requested(approval);
    }
    yield* eventsOfTaken(taken);
  }

  /** Runs what is ready, and goes on where nothing waits any more. */
  async *#act(signal: AbortSignal): Events<'waiting' | undefined> {
    signal.throwIfAborted();
    const { run, toolbox } = await this.#turn(signal);
    const calls = await this.#calls(run);
    const ready = calls.filter(({ state }) => state === 'ready' || state === 'executing');
    const execution = { context: this.context, toolbox, fence: this.claim.fence, signal };
    const executed = await this.span.run(() => executeCalls(ready, execution));
    if (executed.fault !== undefined) throw executed.fault;
    signal.throwIfAborted();
    const results = resultsOf(calls, executed.results) ?? (await this.#laterResults(run, ready, executed.results));
    if (results === undefined) {
      yield* eventsOfTaken(await this.journal.refresh());
      // Decided in the meantime: then it is looked at again.
      return (this.#run?.pendingApprovals.length ?? 0) > 0 ? 'waiting' : undefined;
    }
    const items = this.#settledItems(run, calls, ({ callId }) => results.get(callId) ?? endedResult('unknown'));
    yield* eventsOfTaken(await this.#append(items, `${run.runId}/results/${run.step}`));
    return undefined;
  }

  /** @throws RunLost where a call that was ready is not to be had */
  async #laterResults(
    run: OpenRun,
    ready: readonly CallRecord[],
    executed: ReadonlyMap<string, CallResult>,
  ): Promise<ReadonlyMap<string, CallResult> | undefined> {
    const calls = await this.#calls(run);
    const isLost = ready.some(({ callId }) => {
      const now = calls.find((call) => call.callId === callId);
      return !executed.has(callId) && now !== undefined && !FINAL_CALL_STATES.has(now.state);
    });
    if (isLost) throw new RunLost('calls of the run are no longer to be claimed');
    return resultsOf(calls, executed);
  }

  #calls({ runId, step }: OpenRun): Promise<readonly CallRecord[]> {
    return this.context.store.calls(this.context.conversationId, { runId, step });
  }

  async #closedCalls(run: OpenRun, as: Withdrawal['as']): Promise<readonly JournalItem[]> {
    const calls = await closeCalls(run, { ...this.context, as, claim: this.claim });
    return this.#settledItems(run, calls, ({ result }) => result ?? endedResult('unknown'));
  }

  /** Every result of a step, and the handoff: the model was told that it transferred, however the run goes on. */
  #settledItems(
    run: OpenRun,
    calls: readonly CallRecord[],
    resultOf: (call: CallRecord) => CallResult,
  ): readonly JournalItem[] {
    return [...resultItems(calls, resultOf), ...handoffItems(run, calls, resultOf, this.context.graph)];
  }

  #append(items: readonly JournalItem[], operationId: string): Promise<TakenEntry[]> {
    return this.journal.append(items, operationId, this.claim.fence);
  }
}
