import type { ToolResult } from '../../palette/index.js';

const NOTICE = 'A person changed the arguments before approving. This is what ran, and what came of it.';

/**
 * What a model is told of a call whose arguments a person changed. The content of the result is in `result`.
 * @param editedArguments what ran, as JSON text
 */
export function editedResult({ toolCallId, isError, content }: ToolResult, editedArguments: string): ToolResult {
  const told = { notice: NOTICE, arguments: JSON.parse(editedArguments) as unknown };
  if (!isError) return { toolCallId, isError, content: { ...told, result: content } };
  // A refusal keeps its shape: code and message first.
  return { toolCallId, isError, content: { ...(content as object), ...told } };
}
