import { InMemoryAgentStore, type AgentStore } from '../../approvals/index.js';
import {
  BootFaults,
  PaletteError,
  systemClock,
  type CallerContext,
  type Clock,
  type Principal,
} from '../../common/index.js';
import type { OperationDispatcher } from '../../dispatch/index.js';
import type { EgressShape } from '../../egress/index.js';
import type { Palette } from '../../palette/index.js';
import { GenAiTelemetry, readTelemetryOptions, type TelemetryOptions } from '../../telemetry/index.js';
import { AgentGraph, type Agent } from '../definition/index.js';
import type { Model, ModelMessage } from '../model/index.js';
import { NO_DISPATCHER } from '../tools/index.js';
import { checkRunOptions } from './check-run-options.js';
import type { RunApprovals, RunContext } from './run-context.js';
import { resolveLimits, type RunLimits, type RunLimitsOptions } from './run-limits.js';

/**
 * What becomes of a message when a run of the conversation is open. `supersede`: a run that waits is given up for it;
 * `queue`: it is answered afterwards; `reject`: `conversation_busy`. While a run is at work, `supersede` is `reject`.
 */
export type OpenRunPolicy = 'supersede' | 'queue' | 'reject';

interface CommonRunOptions extends RunLimitsOptions {
  /** On whose behalf tools are called: `@Caller()` gives it in a handler. Its `signal` cancels the run. */
  readonly caller: CallerContext;
  /** Calls operations. Required where an agent has a palette. */
  readonly dispatcher?: OperationDispatcher;
  /** Cancels the run: what waits is withdrawn, what runs is told to end. */
  readonly signal?: AbortSignal;
  readonly telemetry?: TelemetryOptions;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Either an agent with those that it may hand over to, or only a model with a palette. */
type WhoAnswers<Shape extends EgressShape | undefined> =
  | { readonly agent: Agent<Shape>; readonly agents?: readonly Agent[]; readonly model?: undefined }
  | {
      readonly model: Model;
      readonly palette?: Palette;
      readonly system?: string;
      readonly agent?: undefined;
      readonly agents?: undefined;
    };

/** A conversation in a store, or messages that the application keeps itself. */
type WhatIsAsked =
  | {
      /** An id of the application's choice; a conversation of that id is begun where there is none. */
      readonly conversation: string;
      /** Whose conversation it is. Another's is `conversation_unknown`. */
      readonly principal: Principal;
      /** What the user says. Without one, the open run goes on, or the next queued message is taken up. */
      readonly message?: string;
      /** Where conversations are kept. Default: that of `approvals`, else the memory of this process. */
      readonly store?: AgentStore;
      /** `ApprovalsService` of the application. Without it, an agent with a gated tool is refused. */
      readonly approvals?: RunApprovals;
      /** Default `supersede`. */
      readonly onOpenRun?: OpenRunPolicy;
      /**
       * What happens when the run waits for a person. `suspend`: it ends with `done` and `waiting`, and goes on with the next
       * call. `wait`: its events go on once it does, here or on another replica. Default `suspend`.
       */
      readonly whenWaiting?: 'suspend' | 'wait';
      readonly messages?: undefined;
    }
  | {
      /** The conversation so far, whose last message is the question. What is said is added to it. */
      readonly messages: ModelMessage[];
      readonly principal?: Principal;
      readonly conversation?: undefined;
      readonly message?: undefined;
      readonly store?: undefined;
      readonly approvals?: undefined;
      readonly onOpenRun?: undefined;
      readonly whenWaiting?: undefined;
    };

export type RunAgentOptions<Shape extends EgressShape | undefined = EgressShape | undefined> = CommonRunOptions &
  WhoAnswers<Shape> &
  WhatIsAsked;

type MaybePromise<T> = T | Promise<T>;

/** The options, checked and complete. */
export interface ResolvedRun {
  readonly context: RunContext;
  readonly agent: Agent;
  readonly message: string | undefined;
  readonly messages: ModelMessage[] | undefined;
  readonly onOpenRun: OpenRunPolicy;
  readonly whenWaiting: 'suspend' | 'wait';
  /** Why the run may not go on: it is ended with it. */
  readonly refusal: PaletteError | undefined;
  /** Who the person is by now, when a run goes on that waited. Undefined: who they were when it was asked for. */
  readonly resolveCaller: ((principal: Principal) => MaybePromise<CallerContext | undefined>) | undefined;
  /** Told whenever this process has claimed the conversation. */
  readonly onClaimed: (() => void) | undefined;
  /** Told which run it is that this process drives, when it is begun or taken up. */
  readonly onBegun: ((runId: string | undefined) => void) | undefined;
  /** The run that is to be ended in place of being driven: where another one is open, or none, nothing is done. */
  readonly cancels: string | undefined;
}

const NOBODY: Principal = Object.freeze({ subject: '' });
const SHARED_MEMORY = new InMemoryAgentStore();
const GRAPHS = new WeakMap<Agent, { readonly others: readonly Agent[] | undefined; readonly graph: AgentGraph }>();

/** Which agents there are, within which limits they run, and what is told of it: checked once. */
export interface RunSetup {
  readonly graph: AgentGraph;
  readonly limits: RunLimits;
  readonly telemetry: GenAiTelemetry;
}

/** @throws PaletteBootError `agent_...`, `handoff_unknown`, `telemetry_options_invalid`, every fault at once */
export function resolveRun(options: RunAgentOptions): ResolvedRun {
  const faults = new BootFaults();
  checkRunOptions(options, faults);
  const agent = options.agent ?? agentOf(options);
  const setup = {
    graph: graphOf(agent, options.agents, faults),
    limits: resolveLimits(options, faults),
    telemetry: new GenAiTelemetry(readTelemetryOptions(options.telemetry ?? {}, faults)),
  };
  const { approvals, store, dispatcher } = options;
  if (dispatcher === undefined) reportUncallable(setup.graph, faults);
  if (approvals !== undefined && store !== undefined && approvals.store !== store) {
    const what = 'is not that of `approvals`: decisions would not reach the run';
    faults.add('agent_options_invalid', { key: 'store', what });
  }
  if (approvals === undefined && faults.list.length === 0) setup.graph.checkGates(faults);
  faults.throwIfAny();
  return assembleRun(options, agent, setup);
}

/** A run of an agent whose setup has been checked. */
export function assembleRun(options: RunAgentOptions, agent: Agent, setup: RunSetup): ResolvedRun {
  const { approvals, messages, caller } = options;
  const isStored = messages === undefined;
  const store = isStored ? (options.store ?? approvals?.store ?? SHARED_MEMORY) : new InMemoryAgentStore();
  return {
    agent,
    message: options.message,
    messages,
    onOpenRun: options.onOpenRun ?? 'supersede',
    whenWaiting: options.whenWaiting ?? 'suspend',
    refusal: undefined,
    resolveCaller: undefined,
    onClaimed: undefined,
    onBegun: undefined,
    cancels: undefined,
    context: {
      ...setup,
      store,
      conversationId: options.conversation ?? crypto.randomUUID(),
      isStored,
      given: messages === undefined ? [] : [...messages],
      principal: options.principal ?? NOBODY,
      caller,
      dispatcher: options.dispatcher,
      approvals,
      clock: options.clock ?? systemClock,
      signal: signalOf(options.signal, caller.signal),
    },
  };
}

/** Whoever the conversation may be handed over to has to be able to call what it is told of. */
function reportUncallable({ agents }: AgentGraph, faults: BootFaults): void {
  for (const { name, palette } of agents) {
    if (palette !== undefined) faults.add('agent_definition_invalid', { agent: name, what: NO_DISPATCHER });
  }
}

function agentOf({
  model,
  palette,
  system,
}: RunAgentOptions & { readonly palette?: Palette; readonly system?: string }): Agent {
  return { name: 'agent', model: model as Model, ...(palette && { palette }), ...(system !== undefined && { system }) };
}

/** A definition is checked once; only what is sound is remembered. */
function graphOf(agent: Agent, others: readonly Agent[] | undefined, faults: BootFaults): AgentGraph {
  const known = GRAPHS.get(agent);
  if (known !== undefined && known.others === others) return known.graph;
  // A list of all the agents has the one that answers in it.
  const all = [agent, ...(others ?? []).filter((other) => other !== agent)];
  const graph = new AgentGraph(all, [agent.name], faults);
  if (faults.list.length === 0) graph.checkTools(faults);
  if (faults.list.length === 0) GRAPHS.set(agent, { others, graph });
  return graph;
}

function signalOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 1 && given[0] !== undefined ? given[0] : AbortSignal.any(given);
}
