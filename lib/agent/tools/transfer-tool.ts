import { canonicalDigest, deepFreeze } from '../../common/index.js';
import type { ToolCall, ToolDefinition, ToolResult } from '../../palette/index.js';
import { transferName } from '../definition/transfer-name.js';
import type { AgentTool, ExaminedToolCall } from './agent-tool.js';

/** Hands the conversation over. Calling it changes nothing by itself: the run goes on with the other agent. */
export class TransferTool implements AgentTool {
  readonly definition: ToolDefinition;
  readonly operation: string;
  readonly isGated = false;
  readonly isRepeatable = true;
  readonly isTransactional = false;
  readonly timeoutMs = undefined;

  constructor(
    readonly to: string,
    when: string | undefined,
  ) {
    this.operation = transferName(to);
    this.definition = deepFreeze<ToolDefinition>({
      name: this.operation,
      description: `Hands the conversation over to the agent "${to}".${when === undefined ? '' : ` ${when}`}`,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnly: true, destructive: false, idempotent: true },
    });
  }

  examine({ arguments: args }: ToolCall): Promise<ExaminedToolCall> {
    return Promise.resolve({ argumentsHash: canonicalDigest(args), reasons: [] });
  }

  run({ id }: ToolCall): Promise<ToolResult> {
    return Promise.resolve({ toolCallId: id, isError: false, content: { transferred_to: this.to } });
  }
}
