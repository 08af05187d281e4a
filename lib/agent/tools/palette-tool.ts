import type { CallerContext } from '../../common/index.js';
import { grantCall, type OperationDispatcher } from '../../dispatch/index.js';
import type { Palette, PaletteEntry, ToolCall, ToolDefinition, ToolResult } from '../../palette/index.js';
import { telemetry } from '../../telemetry/index.js';
import type { AgentTool, ExaminedToolCall, ToolRunContext } from './agent-tool.js';

/** An operation of a palette: a call of it runs through the application's own pipeline. */
export class PaletteTool implements AgentTool {
  readonly definition: ToolDefinition;
  readonly operation: string;
  readonly isGated: boolean;
  readonly isRepeatable: boolean;
  readonly isTransactional: boolean;
  /** The dispatcher has a limit of its own. */
  readonly timeoutMs = undefined;

  constructor(
    entry: PaletteEntry,
    private readonly palette: Palette,
    private readonly dispatcher: OperationDispatcher,
  ) {
    const { name, annotations, transactional } = entry.operation;
    this.definition = entry.definition;
    this.operation = name;
    this.isGated = entry.approvalRules.length > 0;
    this.isRepeatable = annotations.readOnly || annotations.idempotent;
    this.isTransactional = transactional;
  }

  async examine(call: ToolCall, caller: CallerContext): Promise<ExaminedToolCall> {
    return this.dispatcher.examine(call, { palette: this.palette, caller });
  }

  run(call: ToolCall, { caller, approvedHash }: ToolRunContext): Promise<ToolResult> {
    const { palette, operation } = this;
    const grant = approvedHash === undefined ? undefined : grantCall({ operation, argumentsHash: approvedHash });
    const { idempotencyKey } = caller;
    return this.dispatcher.dispatch(call, {
      palette,
      caller: traced(caller),
      ...(grant && { grant }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }
}

/** Where the application traces, the operation is told which span it is called in, in place of the caller's own. */
function traced(caller: CallerContext): CallerContext {
  if (telemetry.currentLink() === undefined) return caller;
  const headers = new Map(Object.entries(caller.headers));
  telemetry.inject(headers);
  return { ...caller, headers: Object.fromEntries(headers) };
}
