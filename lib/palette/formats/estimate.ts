import type { FilterGrammar } from './filter-grammar.js';
import { openAITool } from './openai.js';
import type { ToldTool } from './told-tool.js';

/** How much a model is told: characters of JSON, and tokens as a fourth of them. */
export interface TextSize {
  readonly characters: number;
  /** Approximate: characters / 4, rounded up. What a model counts differs by its tokenizer. */
  readonly tokens: number;
}

/** The size of a palette's definitions, each as `toOpenAI()` tells it. */
export interface PaletteEstimate extends TextSize {
  readonly definitions: readonly (TextSize & { readonly name: string })[];
  /** What `filterGrammar` adds; undefined where there is none. */
  readonly filterGrammar: TextSize | undefined;
}

export function estimateTools(tools: readonly ToldTool[], grammar: FilterGrammar | undefined): PaletteEstimate {
  const definitions = tools.map((tool) => ({ name: tool.definition.name, ...sizeOf(openAITool(tool)) }));
  const filterGrammar = grammar && sizeOf(grammar);
  const all = [...definitions, ...(filterGrammar ? [filterGrammar] : [])];
  return {
    definitions,
    filterGrammar,
    characters: all.reduce((sum, each) => sum + each.characters, 0),
    tokens: all.reduce((sum, each) => sum + each.tokens, 0),
  };
}

function sizeOf(value: unknown): TextSize {
  const characters = JSON.stringify(value).length;
  return { characters, tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) };
}

export const CHARACTERS_PER_TOKEN = 4;
