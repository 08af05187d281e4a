import type { AgentStore } from '../../approvals/index.js';
import type { CallerContext, Principal } from '../../common/index.js';
import type { TelemetryOptions } from '../../telemetry/index.js';
import type { Agent } from '../definition/index.js';
import type { OpenRunPolicy, RunLimitsOptions } from '../run/index.js';

/**
 * The caller that a person is, without a request of theirs at hand: headers that the application's guards take. Undefined where
 * they may no longer act: the run is ended with `agent_principal_refused`.
 */
export type PrincipalResolver = (
  principal: Principal,
) => CallerContext | undefined | Promise<CallerContext | undefined>;

export interface AgentModuleOptions extends RunLimitsOptions {
  readonly agents: readonly Agent[];
  /** The names of those that conversations may begin with; the first is the one that is taken unless asked. Default: the first. */
  readonly entries?: readonly string[];
  /** Where conversations are kept. Default: that of `ApprovalsModule`, else the memory of this process. */
  readonly store?: AgentStore;
  /**
   * Who a person is when a run goes on without them: after a decision, after a restart, for a queued message. Default: nobody
   * is, and runs go on only when their conversation is asked for.
   */
  readonly resolvePrincipal?: PrincipalResolver;
  /** How often this replica looks for runs that can go on, in milliseconds; 0: never. A push makes it look at once. Default: 5,000. */
  readonly sweepIntervalMs?: number;
  /** How many runs this replica goes on with at once. Default: 4. */
  readonly sweepConcurrency?: number;
  /**
   * How long the runs that this replica goes on with may take to end when the application shuts down, in milliseconds. Then they are
   * left open, and their tools have `graceMs`: another replica goes on. Default: 10,000.
   */
  readonly shutdownGraceMs?: number;
  /** What becomes of a message when a run of its conversation is open. Default: `supersede`. */
  readonly onOpenRun?: OpenRunPolicy;
  readonly telemetry?: TelemetryOptions;
}

/** What `AgentRunner` is asked. */
export interface AgentRunRequest {
  readonly conversation: string;
  readonly principal: Principal;
  readonly caller: CallerContext;
  /** Without one, the open run goes on, or the next queued message is taken up. */
  readonly message?: string;
  /** The agent that a new conversation begins with, one of `entries`. Default: the first of them. */
  readonly agent?: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  readonly onOpenRun?: OpenRunPolicy;
  /** Default `suspend`. */
  readonly whenWaiting?: 'suspend' | 'wait';
}
