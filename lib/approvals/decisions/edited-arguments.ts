import { Injectable } from '@nestjs/common';
import { canonicalDigest, type CallerContext } from '../../common/index.js';
import { DispatchError, OperationDispatcher } from '../../dispatch/index.js';
import { PaletteRegistry, type Palette, type ToolCall, type ToolResult } from '../../palette/index.js';
import { ApprovalError } from '../approval-error.js';
import type { ApprovalRecord, Decision } from '../ledger/index.js';

/**
 * Looks at a call as edited, without running it: what a model would be refused with, `fit`, or undefined where the tool is
 * not one that it knows.
 */
export type EditExaminer = (approval: ApprovalRecord, call: ToolCall) => Promise<ToolResult | 'fit' | undefined>;

const NOBODY: CallerContext = { headers: {} };

/** Judges arguments that a person wrote, before they are stored. Gate and guards judge them again when the call runs. */
@Injectable()
export class EditedArguments {
  readonly #examiners: EditExaminer[] = [(approval, call) => this.#examine(approval, call)];

  constructor(
    private readonly dispatcher: OperationDispatcher,
    private readonly palettes: PaletteRegistry,
  ) {}

  /** For tools that stand in no palette. They are asked first. */
  examinedBy(examiner: EditExaminer): void {
    this.#examiners.unshift(examiner);
  }

  /** @throws ApprovalError `approval_decision_invalid` where they do not fit the tool, or nobody knows it */
  async check(approval: ApprovalRecord, edited: Readonly<Record<string, unknown>>): Promise<Decision['edited']> {
    const call: ToolCall = { id: approval.toolCallId, name: approval.toolName, arguments: edited };
    for (const examine of this.#examiners) {
      const found = await examine(approval, call);
      if (found === 'fit') return { arguments: JSON.stringify(edited), argumentsHash: canonicalDigest(edited) };
      if (found !== undefined) throw unfit(found.content);
    }
    throw unfit([{ pointer: '/arguments', problem: 'cannot be checked: no tool of that name is known here' }]);
  }

  async #examine(approval: ApprovalRecord, call: ToolCall): Promise<ToolResult | 'fit' | undefined> {
    const palette = this.#paletteOf(approval);
    if (palette === undefined) return undefined;
    try {
      const examined = await this.dispatcher.examine(call, { palette, caller: NOBODY });
      return 'refused' in examined ? examined.refused : 'fit';
    } catch (error) {
      // A rule may not know what to do with nobody. It is asked about the caller when the call runs.
      if (DispatchError.isInstance(error) && error.code === 'approval_gate_failed') return 'fit';
      throw error;
    }
  }

  #paletteOf({ agent, toolName, operation }: ApprovalRecord): Palette | undefined {
    const holding = this.palettes.palettes.filter((palette) => palette.entry(toolName)?.operation.name === operation);
    return holding.find(({ name }) => name === agent) ?? holding[0];
  }
}

function unfit(details: unknown): ApprovalError {
  return new ApprovalError('approval_decision_invalid', { details });
}
