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
export { runAgent } from './run-agent.js';
export type { OpenRunPolicy, RunAgentOptions } from './run-options.js';
export type { RunApprovals } from './run-context.js';
export type { RunBudget, RunCostBudget, RunLimitsOptions, RunTimeouts } from './run-limits.js';
export type { RunUsage } from './run-state.js';
