import type { JournalEntry } from '../../conversations/index.js';
import { AgentError } from '../agent-error.js';
import type { RunBudget } from './run-limits.js';
import type { OpenRun } from './run-state.js';

/** What is used up, before a model is called; undefined where nothing is. */
export function spentBudget(
  { requests, inputTokens, outputTokens, cost }: RunBudget,
  { runId, usage }: OpenRun,
  entries: readonly JournalEntry[],
): AgentError | undefined {
  const counted: readonly (readonly [what: string, used: number, limit: number | undefined])[] = [
    ['requests', usage.modelCalls, requests],
    ['input tokens', usage.inputTokens, inputTokens],
    ['output tokens', usage.outputTokens, outputTokens],
    ['cost', cost === undefined ? 0 : costOf(cost.priceOf, runId, entries), cost?.limit],
  ];
  // A price that is no number is no reason to go on.
  const [spent] = counted.filter(([, used, limit]) => limit !== undefined && !(used < limit));
  return spent && exceeded(...spent);
}

function exceeded(what: string, used: number, limit = 0): AgentError {
  return new AgentError('agent_budget_exceeded', {
    parameters: { what, used, limit },
    details: { budget: what, used, limit },
  });
}

function costOf(
  priceOf: NonNullable<RunBudget['cost']>['priceOf'],
  runId: string,
  entries: readonly JournalEntry[],
): number {
  return entries.reduce((sum, { item }) => {
    const isReply = item.type === 'assistant_message' && item.runId === runId;
    return isReply ? sum + priceOf(item.usage, item.model) : sum;
  }, 0);
}
