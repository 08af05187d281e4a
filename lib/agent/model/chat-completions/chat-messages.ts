import { ownValue } from '../../../common/index.js';
import type { AssistantMessage, ModelMessage, ModelRequest } from '../model.js';
import { toolContent } from '../request/tool-content.js';
import type { ResolvedQuirks } from './chat-completions-quirks.js';
import { readChatState, type ChatState } from './chat-state.js';

type WireMessage = Readonly<Record<string, unknown>>;

/** The messages of a request as chat completions have them. */
export function chatMessages({ system, messages }: ModelRequest, quirks: ResolvedQuirks): WireMessage[] {
  const first = system === undefined || system === '' ? [] : [{ role: 'system', content: system }];
  return [...first, ...messages.flatMap((message) => wireMessage(message, quirks))];
}

function wireMessage(message: ModelMessage, quirks: ResolvedQuirks): WireMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
  if (message.role === 'assistant') return assistantMessage(message, quirks);
  return [{ role: 'tool', tool_call_id: message.toolCallId, content: toolContent(message.content) }];
}

/** A message that says nothing and calls nothing is left out: every endpoint refuses it. */
function assistantMessage(message: AssistantMessage, quirks: ResolvedQuirks): WireMessage[] {
  const { text, toolCalls } = message;
  if (text === '' && toolCalls.length === 0) return [];
  const { reasoning, extras } = readChatState(message.providerState);
  return [
    {
      role: 'assistant',
      ...contentOf(text, quirks),
      ...(quirks.resendReasoning && reasoning && { [reasoning.field]: reasoning.text }),
      ...(toolCalls.length > 0 && { tool_calls: wireCalls(message, extras) }),
    },
  ];
}

function contentOf(text: string, { emptyContent }: ResolvedQuirks): WireMessage {
  if (text !== '') return { content: text };
  if (emptyContent === 'omit') return {};
  return { content: emptyContent === 'empty' ? '' : null };
}

/** Arguments that could not be read go back as `{}`: an endpoint that parses them would refuse the whole conversation. */
function wireCalls({ toolCalls }: AssistantMessage, extras: ChatState['extras']): WireMessage[] {
  return toolCalls.map((call) => ({
    ...(ownValue(extras, call.id) as WireMessage | undefined),
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.fault === undefined ? JSON.stringify(call.arguments) : '{}' },
  }));
}
