import type { CallerContext } from '../../common/index.js';
import type { PaletteEntry, ToolCall, ToolResult } from '../../palette/index.js';

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

/** Runs the call that was admitted, under this key. */
export type AdmittedRun = (idempotencyKey: string) => Promise<ToolResult>;

export type CallAdmission =
  /** The call is not run: this is what is told of it. */
  | { readonly kind: 'answered'; readonly result: ToolResult }
  /** The call has been claimed for this run of it. */
  | {
      readonly kind: 'admitted';
      /** What runs, where a person changed the arguments, as JSON text; undefined: what was asked for. */
      readonly arguments: string | undefined;
      /** Called once. Runs the call, writes down how it ended, and yields what is told of it; throws what the call throws. */
      readonly run: (call: AdmittedRun) => Promise<ToolResult>;
    };

/** Whoever keeps approvals. */
export interface CallGate {
  admit(call: GatedCall): Promise<CallAdmission>;
}
