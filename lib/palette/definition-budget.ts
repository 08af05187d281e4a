import { Logger } from '@nestjs/common';
import { estimateTools, type FilterGrammar, type ToldTool } from './formats/index.js';
import type { PaletteOptions } from './palette.options.js';

const DEFAULT_BUDGET_TOKENS = 8_000;

/** Warns of definitions that take much of every request to a model. A palette is built once, so it is told once. */
export function warnPastBudget(
  options: PaletteOptions,
  tools: readonly ToldTool[],
  grammar: FilterGrammar | undefined,
): void {
  const budget = options.definitionBudgetTokens ?? DEFAULT_BUDGET_TOKENS;
  const { tokens, characters } = estimateTools(tools, grammar);
  if (tokens <= budget) return;
  const repair = options.sharedFilterGrammar ? '' : ', share the filter grammar (`sharedFilterGrammar`)';
  new Logger('Palette').warn(
    `Palette "${options.name}" tells a model about ${tokens} tokens (${characters} characters) with every request, more ` +
      `than its budget of ${budget}. Include fewer operations${repair}, or raise \`definitionBudgetTokens\`.`,
  );
}
