import { recordOf, recordsOf, type JsonRecord } from '../reply/read-json.js';

const FORMAT = 'anthropic-messages';

/**
 * The blocks of a reply in their order: thoughts as they came, signature included, text, and calls by their id alone, since
 * the message holds what they are.
 */
export function anthropicState(blocks: readonly JsonRecord[]): unknown {
  return blocks.some(isThought) ? { format: FORMAT, blocks } : undefined;
}

/** The blocks of a message, where a model of this format said it. It may come from a store: nothing is taken for granted. */
export function readAnthropicState(value: unknown): readonly JsonRecord[] {
  const state = recordOf(value);
  return state?.['format'] === FORMAT ? recordsOf(state['blocks']) : [];
}

export function isThought({ type }: JsonRecord): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}
