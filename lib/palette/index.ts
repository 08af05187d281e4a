export { getPaletteToken, InjectPalette } from './decorators/inject-palette.js';
export {
  acceptsNull,
  anthropicTool,
  argumentAliases,
  openAITool,
  referencedDefinition,
  type AiSdkSchema,
  type AiSdkTool,
  type AnthropicTool,
  type FilterGrammar,
  type McpTool,
  type OpenAIFormatOptions,
  type OpenAITool,
  type PaletteEstimate,
  type RunnableAiSdkTool,
  type TextSize,
  type ToldTool,
  type ToolInputSchema,
  type ToolRunner,
} from './formats/index.js';
export { operation, operationsUnder, type PaletteInclude } from './include.js';
export { Palette, type PaletteEntry } from './palette.js';
export {
  narrowedPolicy,
  PaletteDeclaration,
  type NarrowedPolicy,
  type OperationVisibility,
  type PaletteOptions,
} from './palette.options.js';
export { PaletteRegistry } from './palette-registry.js';
export { type ToolCall, type ToolDefinition, type ToolResult } from './tool-definition.js';
