export type {
  AgentEvent,
  ApprovalDecisionEvent,
  ApprovalRequestEvent,
  DoneEvent,
  ErrorEvent,
  HandoffEvent,
  MessageDeltaEvent,
  MessageEvent,
  ToolCallEvent,
  ToolResultEvent,
} from './agent-event.js';
export { ConversationRun } from './conversation-run.js';
export { followRun } from './follow-run.js';
export { RunJournal } from './run-journal.js';
export { isLeft, RunLeft } from './run-left.js';
export { runAgent } from './run-agent.js';
export { assembleRun, type OpenRunPolicy, type RunAgentOptions, type RunSetup } from './run-options.js';
export type { RunApprovals } from './run-context.js';
export {
  inRange,
  resolveLimits,
  type RunBudget,
  type RunCostBudget,
  type RunLimitsOptions,
  type RunTimeouts,
} from './run-limits.js';
export type { RunUsage } from './run-state.js';
export { untilAborted } from './time-limit.js';
