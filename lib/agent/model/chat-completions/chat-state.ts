import { recordOf, type JsonRecord } from '../reply/read-json.js';

const FORMAT = 'chat-completions';

/** What an endpoint wants back with what its model said. */
export interface ChatState {
  /** Beside a call, by its id: a signature of the reasoning that led to it, say. */
  readonly extras: Readonly<Record<string, JsonRecord>>;
  readonly reasoning?: { readonly field: string; readonly text: string } | undefined;
}

/** Undefined where there is nothing to keep. */
export function chatState(state: ChatState): unknown {
  const isEmpty = Object.keys(state.extras).length === 0 && state.reasoning === undefined;
  return isEmpty ? undefined : { format: FORMAT, ...state };
}

/** The state of a message, where a model of this format said it. It may come from a store: nothing of it is taken for granted. */
export function readChatState(value: unknown): ChatState {
  const state = recordOf(value);
  if (state?.['format'] !== FORMAT) return { extras: {} };
  const reasoning = recordOf(state['reasoning']);
  const { field, text } = reasoning ?? {};
  return {
    extras: (recordOf(state['extras']) ?? {}) as ChatState['extras'],
    ...(typeof field === 'string' && typeof text === 'string' && { reasoning: { field, text } }),
  };
}
