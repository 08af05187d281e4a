import type { CallerContext, Principal } from '../../common/index.js';
import type { ToolCall, ToolDefinition, ToolResult } from '../../palette/index.js';

/** What a tool is told of the run that calls it. */
export interface ToolRunContext {
  /** With the signal of this call, and its idempotency key. */
  readonly caller: CallerContext;
  readonly principal: Principal;
  readonly agent: string;
  readonly conversationId: string | undefined;
  /** `canonicalDigest` of the arguments, where a person approved them. */
  readonly approvedHash: string | undefined;
}

/** What a call would be, without running it. */
export type ExaminedToolCall =
  | { readonly refused: ToolResult }
  | {
      readonly argumentsHash: string;
      /** Why a person must approve it; empty: nobody has to. */
      readonly reasons: readonly string[];
    };

/** A tool as the loop knows it, whatever is behind it. */
export interface AgentTool {
  readonly definition: ToolDefinition;
  /** What policies of approvals know it by. */
  readonly operation: string;
  /** Whether somebody may have to approve its calls. */
  readonly isGated: boolean;
  /** Whether a repeat does no harm. */
  readonly isRepeatable: boolean;
  /** Whether its effect commits together with the ledger, where the store has transactions. */
  readonly isTransactional: boolean;
  /** How long a call may take, in milliseconds; undefined: as long as the run says. */
  readonly timeoutMs: number | undefined;
  examine(call: ToolCall, caller: CallerContext): Promise<ExaminedToolCall>;
  /** What a model can act on is a result; what it cannot is thrown. */
  run(call: ToolCall, context: ToolRunContext): Promise<ToolResult>;
}
