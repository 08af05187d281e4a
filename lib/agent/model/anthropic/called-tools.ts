import type { AnthropicTool } from '../../../palette/index.js';
import type { ModelMessage } from '../model.js';

/**
 * The tools that were called before, told by their names only. A request that has calls and no tools is refused; one is made where the
 * agent that goes on has none, or none any more.
 */
export function calledTools(messages: readonly ModelMessage[]): AnthropicTool[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
  return [...new Set(calls.map(({ name }) => name))].map((name) => ({
    name,
    description: 'Cannot be called any more.',
    input_schema: { type: 'object', properties: {} },
  }));
}
