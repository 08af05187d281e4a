import type { AssistantMessage, ModelMessage, ToolMessage, UserMessage } from 'nestjs-palette';

export const user = (text: string): UserMessage => ({ role: 'user', text });

/** Calls `look` once an id. */
export function assistant(text: string, ...ids: readonly string[]): AssistantMessage {
  return { role: 'assistant', text, toolCalls: ids.map((id) => ({ id, name: 'look', arguments: {} })) };
}

export function told(toolCallId: string, content: unknown = `result of ${toolCallId}`, isError = false): ToolMessage {
  return { role: 'tool', toolCallId, toolName: 'look', content, isError };
}

/** Freezes everything in it, so that a change throws. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) frozen(each);
    Object.freeze(value);
  }
  return value;
}

export const userTexts = (messages: readonly ModelMessage[]): string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
