import { Injectable, Logger, Optional } from '@nestjs/common';
import type { CallerContext, Principal } from '../../common/index.js';
import { ConversationError } from '../../conversations/index.js';
import { OperationDispatcher } from '../../dispatch/index.js';
import { AgentError } from '../agent-error.js';
import type { Agent } from '../definition/index.js';
import type { ModelMessage } from '../model/index.js';
import {
  assembleRun,
  ConversationRun,
  followRun,
  RunJournal,
  type AgentEvent,
  type DoneEvent,
  type ErrorEvent,
} from '../run/index.js';
import { toMessages, type ToMessagesOptions } from '../transcript/index.js';
import { AgentSetup } from './agent-setup.js';
import type { AgentRunRequest } from './agent.options.js';
import { DrivenRun } from './driven-run.js';

/** What is particular about driving a run: see `ResolvedRun`, and `DrivenRun` of `leave`. */
interface Driving {
  readonly refusal?: AgentError | undefined;
  readonly cancels?: string | undefined;
  readonly leave?: AbortSignal | undefined;
}

/** Runs the agents of `AgentModule`, and shows what they said. Another's conversation is none: `conversation_unknown`. */
@Injectable()
export class AgentRunner {
  /** The runs that this process drives, by their conversation. */
  readonly #driven = new Map<string, DrivenRun>();
  readonly #logger = new Logger('AgentRunner');
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly setup: AgentSetup,
    @Optional() private readonly dispatcher?: OperationDispatcher,
  ) {}

  /**
   * Lets an agent answer, as `runAgent` does: with the module's agents, store and limits.
   * @throws AgentError `agent_unknown`, at once; what `runAgent` throws, while it is read
   */
  run(request: AgentRunRequest): AsyncGenerator<AgentEvent, void, undefined> {
    return this.#run(request, this.#agent(request.agent));
  }

  /**
   * Goes on with a run that nobody is at, on behalf of whoever began it; for the sweeper.
   * @param caller undefined: that person may no longer act, and the run is ended
   * @param leave leaves the run open where it aborts: what runs is told to end, and another process goes on with it
   * @returns how it went; undefined where it was brought to its end elsewhere
   */
  async resume(
    conversation: string,
    principal: Principal,
    caller: CallerContext | undefined,
    leave?: AbortSignal,
  ): Promise<DoneEvent['outcome'] | undefined> {
    const refusal = caller === undefined ? new AgentError('agent_principal_refused') : undefined;
    const request = { conversation, principal, caller: caller ?? { headers: {} } };
    let outcome: DoneEvent['outcome'] | undefined;
    for await (const event of this.#run(request, this.#agent(undefined), { refusal, leave })) {
      if (event.type === 'done') ({ outcome } = event);
    }
    return outcome;
  }

  /**
   * The events of a conversation from an entry on, those to come included, until the signal aborts: what `run` tells but for
   * `message_delta`.
   * @throws ConversationError `conversation_unknown`, when it is read
   */
  async *watch(
    conversation: string,
    principal: Principal,
    { signal, fromSeq = 1 }: { readonly signal: AbortSignal; readonly fromSeq?: number },
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const journal = await this.#journal(conversation, principal);
    // What comes before is read all the same: which agent speaks is told by it.
    for await (const event of followRun(journal, signal, () => false)) if (event.seq >= fromSeq) yield event;
  }

  /**
   * What was said, as a model sees it.
   * @throws ConversationError `conversation_unknown`
   */
  async messages(conversation: string, principal: Principal, options?: ToMessagesOptions): Promise<ModelMessage[]> {
    const journal = await this.#journal(conversation, principal);
    await journal.refresh();
    return toMessages(journal.entries, options);
  }

  /**
   * Cancels the open run: one that this process drives is told to end, one that waits is ended here. No other run is, that began
   * meanwhile.
   * @returns false where no run was open, or it was over before it could be cancelled
   * @throws ConversationError `conversation_unknown`; `conversation_busy` where another process drives it
   */
  async cancel(conversation: string, principal: Principal): Promise<boolean> {
    const { openRunId } = await this.#find(conversation, principal);
    if (openRunId === undefined) return false;
    const driven = this.#driven.get(conversation);
    if (driven !== undefined && (await driven.runId) === openRunId && driven.cancel()) return true;
    return this.#end(conversation, principal, openRunId);
  }

  /** Calls back whenever this process stops driving a run: a queued message may be next. */
  onFreed(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Ends a run that nobody drives. */
  async #end(conversation: string, principal: Principal, runId: string): Promise<boolean> {
    const request = { conversation, principal, caller: { headers: {} } };
    let isEnded = false;
    try {
      for await (const { type } of this.#run(request, this.#agent(undefined), { cancels: runId })) {
        isEnded ||= type === 'done';
      }
    } catch (error) {
      if (!ConversationError.isInstance(error) || error.code !== 'conversation_busy') throw error;
      // Busy with another run: this one is over.
      if ((await this.#find(conversation, principal)).openRunId === runId) throw error;
    }
    return isEnded;
  }

  async *#run(
    request: AgentRunRequest,
    agent: Agent,
    { refusal, cancels, leave }: Driving = {},
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const { conversation } = request;
    const driven = new DrivenRun(leave);
    const signal = request.signal === undefined ? driven.signal : AbortSignal.any([request.signal, driven.signal]);
    const run = new ConversationRun({
      ...this.#assembled({ ...request, signal }, agent),
      refusal,
      cancels,
      resolveCaller: this.setup.options.resolvePrincipal,
      onClaimed: () => this.#driven.set(conversation, driven),
      onBegun: (runId) => driven.begun(runId),
    });
    try {
      for await (const event of run.events()) {
        if (event.type === 'error') this.#log(conversation, event);
        yield event;
      }
    } finally {
      driven.over();
      if (this.#driven.get(conversation) === driven) this.#driven.delete(conversation);
      for (const tell of this.#listeners) tell();
    }
  }

  /** Whoever reads the events may not be there to log what only this process knows. */
  #log(conversation: string, { code, cause }: ErrorEvent): void {
    if (cause === undefined) return;
    this.#logger.error(`A run of conversation ${conversation} failed: ${code}`, stackOf(cause));
  }

  #assembled({ agent: _name, ...request }: AgentRunRequest, agent: Agent): ReturnType<typeof assembleRun> {
    const { store, approvals, options, run } = this.setup;
    const { onOpenRun = options.onOpenRun } = request;
    const given = {
      ...request,
      agent,
      store,
      ...(approvals && { approvals }),
      ...(this.dispatcher && { dispatcher: this.dispatcher }),
      ...(onOpenRun && { onOpenRun }),
    };
    return assembleRun(given, agent, run);
  }

  #agent(name: string | undefined): Agent {
    const { graph } = this.setup.run;
    const wanted = name ?? graph.entries[0] ?? '';
    const agent = graph.entries.includes(wanted) ? graph.agent(wanted) : undefined;
    if (agent === undefined) throw new AgentError('agent_unknown', { parameters: { agent: wanted } });
    return agent;
  }

  async #journal(conversation: string, principal: Principal): Promise<RunJournal> {
    await this.#find(conversation, principal);
    return new RunJournal(this.setup.store, conversation);
  }

  async #find(conversation: string, principal: Principal): Promise<{ readonly openRunId: string | undefined }> {
    const found = await this.setup.store.find(conversation, principal);
    if (found === undefined) throw new ConversationError('conversation_unknown');
    return found;
  }
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error.stack) : `${error.stack}\ncaused by ${stackOf(error.cause)}`;
}
