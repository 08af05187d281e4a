import type { ModelMessage } from '../model/index.js';

/**
 * The messages in turns: what a user said and everything up to what a user says next. What stands before the first user is a turn
 * of its own.
 */
export function turnsOf(messages: readonly ModelMessage[]): ModelMessage[][] {
  const turns: ModelMessage[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last === undefined || message.role === 'user') turns.push([message]);
    else last.push(message);
  }
  return turns;
}

/** The newest turns, at least one: the newest question always stays. */
export function lastTurns(messages: readonly ModelMessage[], count: number): ModelMessage[] {
  return turnsOf(messages)
    .slice(count > 1 ? -Math.floor(count) : -1)
    .flat();
}
