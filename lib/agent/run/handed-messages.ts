import type { ModelMessage } from '../model/index.js';
import { assertTranscript } from '../transcript/index.js';

type Messages = readonly ModelMessage[];

/**
 * What an agent is shown that was handed a conversation over: what the filter left, with the newest question in its place. It stands
 * last where only what others said would follow it: a model is to answer it, and some providers refuse to go on with somebody's words.
 */
export function handedMessages(filtered: Messages, before: Messages): Messages {
  const asked = assertTranscript(withQuestion(filtered, before), 'chat');
  const last = asked.at(-1);
  if (last?.role !== 'assistant' || last.toolCalls.length > 0) return asked;
  const at = asked.findLastIndex(({ role }) => role === 'user');
  const question = asked[at];
  return question === undefined ? asked : [...asked.toSpliced(at, 1), question];
}

/** A filter may say the question in other words, and may not take it away. */
function withQuestion(filtered: Messages, before: Messages): Messages {
  const at = before.findLastIndex(({ role }) => role === 'user');
  const question = before[at];
  const isOwnWords = (message: ModelMessage): boolean => message.role === 'user' && !before.includes(message);
  if (question === undefined || filtered.includes(question) || filtered.some(isOwnWords)) return filtered;
  const earlier = new Set(before.slice(0, at));
  const place = filtered.findLastIndex((message) => earlier.has(message)) + 1;
  return filtered.toSpliced(place, 0, question);
}
