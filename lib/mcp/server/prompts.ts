import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { ownValue } from '../../common/index.js';
import type { Palette } from '../../palette/index.js';
import { protocolRefusal } from './protocol-refusal.js';
import { queryTools, type QueryTool } from './query-tools.js';

/** One prompt for each query tool, under the tool's name. */
export function promptsOf(palette: Palette): readonly Prompt[] {
  return queryTools(palette).map(({ entry: { definition, operation } }) => ({
    name: definition.name,
    title: `Ask ${operation.name}`,
    description: `A question, and how ${definition.name} is asked it.`,
    arguments: [{ name: 'question', description: 'What to find out, in plain words.', required: true }],
  }));
}

/**
 * How a query is written, made of what the tool's definition and the filter grammar say.
 * @throws ProtocolError -32602 `mcp_prompt_unknown`, `mcp_prompt_arguments_invalid`
 */
export function promptOf(palette: Palette, name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const tool = queryTools(palette).find(({ entry }) => entry.definition.name === name);
  if (tool === undefined) throw protocolRefusal('mcp_prompt_unknown');
  const question = ownValue(given, 'question');
  if (typeof question !== 'string' || question.trim() === '') throw protocolRefusal('mcp_prompt_arguments_invalid');
  return { messages: [{ role: 'user', content: { type: 'text', text: textOf(palette, tool, question) } }] };
}

function textOf(palette: Palette, { entry: { definition, pointsTo } }: QueryTool, question: string): string {
  const grammar = pointsTo.length === 0 ? undefined : palette.filterGrammar;
  return [
    `Answer this with the tool ${definition.name}: ${question}`,
    definition.description,
    `Its arguments are what this JSON Schema accepts: ${JSON.stringify(definition.inputSchema)}`,
    ...(grammar === undefined ? [] : [`${grammar.text} ${JSON.stringify(grammar.schema)}`]),
  ].join('\n\n');
}
