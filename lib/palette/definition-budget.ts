import { Logger } from '@nestjs/common';
import { CHARACTERS_PER_TOKEN, type FilterGrammar, type ToldTool } from './formats/index.js';
import type { PaletteOptions } from './palette.options.js';

const DEFAULT_BUDGET_TOKENS = 8_000;

/** Warns of definitions that take much of every request to a model. A palette is built once, so it is told once. */
export function warnPastBudget(
  options: PaletteOptions,
  tools: readonly ToldTool[],
  grammar: FilterGrammar | undefined,
): void {
  const budget = options.definitionBudgetTokens ?? DEFAULT_BUDGET_TOKENS;
  const characters = charactersOf(tools, grammar);
  const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  if (tokens <= budget) return;
  const repair = options.sharedFilterGrammar ? '' : ', share the filter grammar (`sharedFilterGrammar`)';
  new Logger('Palette').warn(
    `Palette "${options.name}" tells a model about ${tokens} tokens (${characters} characters) with every request, more ` +
      `than its budget of ${budget}. Include fewer operations${repair}, or raise \`definitionBudgetTokens\`.`,
  );
}

/** Of the definitions as they are: `palette.estimate()` counts a format, which would cost a boot as much as all the rest. */
function charactersOf(tools: readonly ToldTool[], grammar: FilterGrammar | undefined): number {
  const told = [...tools.map(({ definition }) => definition), ...(grammar ? [grammar] : [])];
  return told.reduce((sum, each) => sum + JSON.stringify(each).length, 0);
}
