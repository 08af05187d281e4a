import type { CallerContext } from '../../common/index.js';
import type { PaletteEntry, ToolCall, ToolResult } from '../../palette/index.js';
import type { CallGrant } from './call-grant.js';

/** A call that a person must approve, with arguments that are fit. */
export interface GatedCall {
  readonly call: ToolCall;
  readonly entry: PaletteEntry;
  readonly args: Readonly<Record<string, unknown>>;
  readonly argumentsHash: string;
  /** Why, in the words of those who demand it; none where only `approvalId` brings the call here. */
  readonly reasons: readonly string[];
  readonly palette: string;
  readonly caller: CallerContext;
  /** The approval that the caller says it has. */
  readonly approvalId: string | undefined;
}

export type CallAdmission =
  /** The call is not run: this is what is told of it. */
  | { readonly kind: 'answered'; readonly result: ToolResult }
  /** The call has been claimed for this run of it. */
  | {
      readonly kind: 'admitted';
      readonly grant: CallGrant;
      readonly idempotencyKey: string;
      /** Called once, with how the call ended: its result, or undefined and what it threw. */
      readonly settle: (result: ToolResult | undefined, error?: unknown) => Promise<void>;
    };

/** Whoever keeps approvals. */
export interface CallGate {
  admit(call: GatedCall): Promise<CallAdmission>;
}
