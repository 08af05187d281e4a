import type { SpanAttributes } from '../span.js';
import { GEN_AI } from './names.js';
import type { ChatContent, ChatMessage, ChatSpanResult, ChatTool, ChatToolCall } from './span-inputs.js';

// Structured values are JSON strings in spans. @see "Recording content on attributes" of the GenAI conventions

export function requestContent({ system, messages, tools }: ChatContent): SpanAttributes {
  return {
    [GEN_AI.systemInstructions]: system === undefined ? undefined : json([textPart(system)]),
    [GEN_AI.inputMessages]: json(messages.map(message)),
    [GEN_AI.toolDefinitions]: tools === undefined || tools.length === 0 ? undefined : json(tools.map(definition)),
  };
}

export function replyContent({ text = '', toolCalls = [], finishReason }: ChatSpanResult): SpanAttributes {
  const said = { ...message({ role: 'assistant', text, toolCalls }), finish_reason: finishReason };
  return { [GEN_AI.outputMessages]: json([said]) };
}

export function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function message(said: ChatMessage): { readonly role: string; readonly parts: readonly object[] } {
  switch (said.role) {
    case 'user':
      return { role: 'user', parts: [textPart(said.text)] };
    case 'tool':
      return { role: 'tool', parts: [{ type: 'tool_call_response', id: said.toolCallId, response: said.content }] };
    case 'assistant':
      return {
        role: 'assistant',
        parts: [...(said.text ? [textPart(said.text)] : []), ...said.toolCalls.map(callPart)],
      };
  }
}

function textPart(content: string): object {
  return { type: 'text', content };
}

function callPart(call: ChatToolCall): object {
  return { type: 'tool_call', id: call.id, name: call.name, arguments: call.arguments };
}

function definition({ name, description, inputSchema }: ChatTool): object {
  return { type: 'function', name, description, parameters: inputSchema };
}
