import type { Palette } from '../../palette/index.js';

/** What a client is told beside the tools: the application's own words, and the filter grammar where it is shared. */
export function instructionsOf(palette: Palette, own: string | undefined): string | undefined {
  const grammar = palette.filterGrammar;
  const parts = [own, grammar && `${grammar.text}\n${JSON.stringify(grammar.schema)}`].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
