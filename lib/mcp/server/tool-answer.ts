import type { CallToolResult } from '@modelcontextprotocol/server';
import { isPlainObject } from '../../common/index.js';
import type { ToolResult } from '../../palette/index.js';

/**
 * What an operation answered, as a client takes it: text for the model, and the JSON itself where it is one.
 */
export function toolAnswer(content: unknown, hasOutputSchema: boolean): CallToolResult {
  const isText = typeof content === 'string';
  return {
    content: [{ type: 'text', text: isText ? content : JSON.stringify(content) }],
    ...((!isText || hasOutputSchema) && { structuredContent: content as CallToolResult['structuredContent'] }),
  };
}

/**
 * A refusal, for the model to read. It has no structured content: clients would hold that against the schema of what the
 * tool answers, and not show it.
 * @param content `{ code, message, details? }`
 */
export function toolFailure(content: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(content) }] };
}

/** Whether all that is told of an answer is that it was too large: then no schema of answers fits it. */
export function isOmitted({ isError, content }: ToolResult): boolean {
  return !isError && isPlainObject(content) && content['code'] === 'tool_result_omitted';
}

/** The code of a refusal. */
export function refusalCode({ isError, content }: ToolResult): string | undefined {
  return isError && isPlainObject(content) ? String(content['code']) : undefined;
}
