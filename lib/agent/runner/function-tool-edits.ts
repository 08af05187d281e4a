import { Injectable, Optional } from '@nestjs/common';
import { EditedArguments, type ApprovalRecord } from '../../approvals/index.js';
import type { ToolCall, ToolResult } from '../../palette/index.js';
import { AgentError } from '../agent-error.js';
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
    try {
      const examined = await tool.examine(call, NOBODY);
      return 'refused' in examined ? examined.refused : 'fit';
    } catch (error) {
      // A rule may not know what to do with nobody. The arguments fit by then, and a person approves them.
      if (AgentError.isInstance(error) && error.code === 'approval_gate_failed') return 'fit';
      throw error;
    }
  }
}
