import type { AssistantMessage, ModelMessage, ToolMessage } from '../model.js';
import { textOr, type JsonRecord } from '../reply/read-json.js';
import { toolContent } from '../request/tool-content.js';
import { wireId, type ArgumentNames } from './anthropic-names.js';
import { isThought, readAnthropicState } from './anthropic-state.js';

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: JsonRecord[];
}

/**
 * The messages of a request as this API has them: roles take turns, so that what follows in one role becomes one message, and
 * the results of tools stand first in the one after their calls.
 */
export function anthropicMessages(messages: readonly ModelMessage[], names: ArgumentNames): WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, names);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, content: blocks });
  }
  return merged.map(({ role, content }) => ({ role, content: resultsFirst(content) }));
}

function blocksOf(message: ModelMessage, names: ArgumentNames): JsonRecord[] {
  if (message.role === 'user') return textBlocks(message.text);
  return message.role === 'tool' ? [resultBlock(message)] : assistantBlocks(message, names);
}

/** A blank text is refused. */
function textBlocks(text: string): JsonRecord[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function resultBlock({ toolCallId, content, isError }: ToolMessage): JsonRecord {
  const told = { type: 'tool_result', tool_use_id: wireId(toolCallId), content: toolContent(content) };
  return isError ? { ...told, is_error: true } : told;
}

function assistantBlocks(message: AssistantMessage, names: ArgumentNames): JsonRecord[] {
  const kept = readAnthropicState(message.providerState);
  const calls = message.toolCalls.map((call) => ({
    type: 'tool_use',
    id: wireId(call.id),
    name: call.name,
    input: call.fault === undefined ? names.toWire(call.name, call.arguments) : {},
  }));
  if (!tellsOf(message, kept)) return [...kept.filter(isThought), ...textBlocks(message.text), ...calls];
  return kept.flatMap((block): JsonRecord[] => {
    if (block['type'] === 'text') return textBlocks(textOr(block['text'], ''));
    return block['type'] === 'tool_use' ? calls.filter(({ id }) => id === wireId(textOr(block['id'], ''))) : [block];
  });
}

/** Whether the kept blocks still say what the message says: a filter may have changed it since. */
function tellsOf({ text, toolCalls }: AssistantMessage, kept: readonly JsonRecord[]): boolean {
  const keptText = kept.map((block) => (block['type'] === 'text' ? textOr(block['text'], '') : '')).join('');
  const keptIds = kept.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  return keptText === text && keptIds.join('\n') === toolCalls.map(({ id }) => id).join('\n');
}

function resultsFirst(blocks: readonly JsonRecord[]): JsonRecord[] {
  const isResult = ({ type }: JsonRecord): boolean => type === 'tool_result';
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}
