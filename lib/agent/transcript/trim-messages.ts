import type { ModelMessage } from '../model/index.js';
import { lastTurns, turnsOf } from './turns.js';

/** Without a limit nothing is dropped. */
export interface MessageBudget {
  /** How many turns are kept, at least one. */
  readonly turns?: number | undefined;
  readonly tokens?: number | undefined;
  /** Default: a token for each four characters of the message's JSON, rounded up. */
  readonly countTokens?: ((message: ModelMessage) => number) | undefined;
}

/**
 * Drops the oldest turns of a transcript without faults until it fits. The newest turn stays; where it is too large by itself, its
 * oldest calls go, each message that called with all of its results, except for the newest of these: the model would make it again.
 * So the result may be larger than the budget.
 */
export function trimMessages(messages: readonly ModelMessage[], budget: MessageBudget): ModelMessage[] {
  const kept = budget.turns === undefined ? [...messages] : lastTurns(messages, budget.turns);
  const { tokens, countTokens = estimatedTokens } = budget;
  if (tokens === undefined) return kept;
  const cost = (some: readonly ModelMessage[]): number => some.reduce((sum, each) => sum + countTokens(each), 0);
  const turns = turnsOf(kept);
  const newest = turns.pop() ?? [];
  let left = tokens - cost(newest);
  if (left < 0) return withoutOldestCalls(newest, -left, cost);
  const fitting: ModelMessage[][] = [];
  for (const turn of turns.reverse()) {
    left -= cost(turn);
    if (left < 0) break;
    fitting.unshift(turn);
  }
  return [...fitting, newest].flat();
}

function withoutOldestCalls(
  turn: readonly ModelMessage[],
  excess: number,
  cost: (some: readonly ModelMessage[]) => number,
): ModelMessage[] {
  let left = excess;
  const groups = groupsOf(turn);
  const newestCalls = groups.findLastIndex(isCallGroup);
  return groups
    .filter((group, index) => {
      if (left <= 0 || !isCallGroup(group) || index === newestCalls) return true;
      left -= cost(group);
      return false;
    })
    .flat();
}

/** Each message with the results that follow it. */
function groupsOf(turn: readonly ModelMessage[]): ModelMessage[][] {
  const groups: ModelMessage[][] = [];
  for (const message of turn) {
    if (message.role === 'tool') groups.at(-1)?.push(message);
    else groups.push([message]);
  }
  return groups;
}

function isCallGroup([first]: readonly ModelMessage[]): boolean {
  return first?.role === 'assistant' && first.toolCalls.length > 0;
}

function estimatedTokens(message: ModelMessage): number {
  return Math.ceil(JSON.stringify(message).length / 4);
}
