import { Injectable, Optional } from '@nestjs/common';
import { EditedArguments, type ApprovalRecord } from '../../approvals/index.js';
import type { ToolCall, ToolResult } from '../../palette/index.js';
import { AgentSetup } from './agent-setup.js';

const NOBODY = { headers: {} };

/** Judges arguments that a person wrote for a function tool, which stands in no palette. */
@Injectable()
export class FunctionToolEdits {
  constructor(
    private readonly setup: AgentSetup,
    @Optional() edits?: EditedArguments,
  ) {
    edits?.examinedBy((approval, call) => this.#examine(approval, call));
  }

  async #examine({ agent, toolName }: ApprovalRecord, call: ToolCall): Promise<ToolResult | 'fit' | undefined> {
    const tool = this.setup.run.graph.agent(agent)?.tools?.find(({ definition }) => definition.name === toolName);
    if (tool === undefined) return undefined;
    const examined = await tool.examine(call, NOBODY);
    return 'refused' in examined ? examined.refused : 'fit';
  }
}
