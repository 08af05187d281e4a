import type { AssistantMessage } from '../model/index.js';
import { withNewIds, type CallIds } from './call-ids.js';

/** The message with the ids that its calls get, in their order; itself where all of them stay. */
export function renamedCalls(message: AssistantMessage, ids: CallIds): AssistantMessage {
  const renames = new Map<string, string>();
  const toolCalls = message.toolCalls.map((call) => {
    const id = ids.take(call.id);
    // Of two calls that had one id, the first is the one that the provider's state means.
    if (!renames.has(call.id)) renames.set(call.id, id);
    return id === call.id ? call : { ...call, id };
  });
  if (toolCalls.every((call, index) => call === message.toolCalls[index])) return message;
  const { providerState, ...rest } = message;
  if (providerState === undefined) return { ...rest, toolCalls };
  return { ...rest, toolCalls, providerState: withNewIds(providerState, renames) };
}
