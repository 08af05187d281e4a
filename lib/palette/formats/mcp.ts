import { withArgumentAliases } from './argument-aliases.js';
import { ownedSchema, type ToldTool, type ToolInputSchema } from './told-tool.js';

/** A tool of MCP's `tools/list`. @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools */
export interface McpTool {
  name: string;
  /** The operation's name, for people. */
  title: string;
  description: string;
  inputSchema: ToolInputSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
}

export function mcpTool({ definition, operation }: ToldTool): McpTool {
  const { name, description, inputSchema, annotations } = definition;
  return {
    name,
    title: operation.name,
    description,
    inputSchema: ownedSchema(withArgumentAliases(inputSchema)),
    annotations: {
      readOnlyHint: annotations.readOnly,
      destructiveHint: annotations.destructive,
      idempotentHint: annotations.idempotent,
    },
  };
}
