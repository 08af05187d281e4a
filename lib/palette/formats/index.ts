export { acceptsNull } from './accepts-null.js';
export {
  aiSdkTool,
  runnableAiSdkTool,
  type AiSdkSchema,
  type AiSdkTool,
  type RunnableAiSdkTool,
  type ToolRunner,
} from './ai-sdk.js';
export { anthropicTool, type AnthropicTool } from './anthropic.js';
export { argumentAliases } from './argument-aliases.js';
export { CHARACTERS_PER_TOKEN, estimateTools, type PaletteEstimate, type TextSize } from './estimate.js';
export { FilterGrammarBuilder, grammarOf, type FilterGrammar } from './filter-grammar.js';
export { mcpTool, type McpTool } from './mcp.js';
export { openAITool, strictFormOf, type OpenAIFormatOptions, type OpenAITool } from './openai.js';
export { referencedDefinition } from './schema-references.js';
export type { ToldTool, ToolInputSchema } from './told-tool.js';
