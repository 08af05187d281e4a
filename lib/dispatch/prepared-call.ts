import type { CallerContext } from '../common/index.js';
import type { BoundArguments, OperationDescriptor } from '../operations/index.js';
import type { PaletteEntry, ToolResult } from '../palette/index.js';
import type { RunningCall } from './audit/index.js';
import type { CallBudget } from './call-budget.js';
import type { AgentCallInfo } from './tool-call-state.js';

/** A tool call whose arguments were found fit, ready to be run. */
export interface PreparedCall {
  readonly entry: PaletteEntry;
  readonly operation: OperationDescriptor;
  readonly bound: BoundArguments;
  readonly info: AgentCallInfo;
  readonly caller: CallerContext;
  /** Of this call, not of the caller's request. */
  readonly idempotencyKey: string | undefined;
  readonly budget: CallBudget;
  /** What the audit is told of it while it runs. */
  readonly running: RunningCall;
}

/** A way into the application: its HTTP server, or its message handlers. */
export interface DispatchTransport {
  run(call: PreparedCall): Promise<ToolResult>;
}
