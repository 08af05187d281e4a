import type { ModelMessage } from '../model/index.js';

/**
 * Only what was said: calls and results are gone together, and so is a message that only called. Whoever lost calls loses the
 * provider's state as well, which was about them.
 */
export function withoutTools(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role === 'user') return [message];
    if (message.text.trim() === '') return [];
    return [message.toolCalls.length === 0 ? message : { role: 'assistant', text: message.text, toolCalls: [] }];
  });
}
