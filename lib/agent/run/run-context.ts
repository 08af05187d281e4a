import type { AgentStore, ApprovalsService } from '../../approvals/index.js';
import type { CallerContext, Clock, Principal } from '../../common/index.js';
import type { OperationDispatcher } from '../../dispatch/index.js';
import type { GenAiTelemetry } from '../../telemetry/index.js';
import type { AgentGraph } from '../definition/index.js';
import type { ModelMessage } from '../model/index.js';
import type { RunLimits } from './run-limits.js';

/** What of `ApprovalsService` a run needs. */
export type RunApprovals = Pick<ApprovalsService, 'store' | 'drafts' | 'events'>;

/** What a run is driven with, by this process. */
export interface RunContext {
  readonly graph: AgentGraph;
  readonly store: AgentStore;
  readonly conversationId: string;
  /** False where the application keeps the conversation itself: then its id is nobody's business. */
  readonly isStored: boolean;
  /** What was said before the journal began. */
  readonly given: readonly ModelMessage[];
  readonly principal: Principal;
  readonly caller: CallerContext;
  readonly dispatcher: OperationDispatcher | undefined;
  readonly approvals: RunApprovals | undefined;
  readonly limits: RunLimits;
  readonly telemetry: GenAiTelemetry;
  readonly clock: Clock;
  /** Cancels the run, or leaves it, where its reason is `RunLeft`. */
  readonly signal: AbortSignal;
}
