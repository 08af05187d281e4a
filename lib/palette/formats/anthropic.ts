import { withArgumentAliases } from './argument-aliases.js';
import { ownedSchema, type ToldTool, type ToolInputSchema } from './told-tool.js';

/** A tool of Anthropic's messages. @see https://platform.claude.com/docs/en/api/messages */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolInputSchema;
}

export function anthropicTool({ definition }: ToldTool): AnthropicTool {
  const { name, description, inputSchema } = definition;
  return { name, description, input_schema: ownedSchema(withArgumentAliases(inputSchema)) };
}
