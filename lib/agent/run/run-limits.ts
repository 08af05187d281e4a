import { MAX_TIMER_MS, type BootFaults } from '../../common/index.js';
import type { ModelUsage } from '../model/index.js';

/** What a run may use. Each is checked before the call that would use more. Default: no limit but `maxSteps`. */
export interface RunBudget {
  /** Calls of models. */
  readonly requests?: number;
  readonly toolCalls?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cost?: RunCostBudget;
}

/** Money, in whatever unit `priceOf` answers in. */
export interface RunCostBudget {
  readonly limit: number;
  /** What one reply costs. `model` as the provider names it. */
  readonly priceOf: (usage: ModelUsage, model: string) => number;
}

/** Times in milliseconds. Time that is spent waiting for a person does not count. Default: no limit. */
export interface RunTimeouts {
  /** Until the model's first sign of a streamed reply. */
  readonly firstChunkMs?: number;
  readonly betweenChunksMs?: number;
  /** One reply of the model and the calls that it asks for. */
  readonly stepMs?: number;
  /** The run as this process drives it, from its beginning or from where it goes on. */
  readonly totalMs?: number;
  /** One call of a tool that has no limit of its own. The model is told when it is over. */
  readonly toolMs?: number;
}

export interface RunLimitsOptions {
  /** How many replies of models a run may take. Default: 8. */
  readonly maxSteps?: number;
  /** Whether the model is asked once more, without tools, when `maxSteps` is reached. Default: false. */
  readonly closingAnswer?: boolean;
  readonly budget?: RunBudget;
  readonly timeouts?: RunTimeouts;
  /** How many tool calls of one reply run side by side. Default: 8. */
  readonly toolConcurrency?: number;
  /** How often one run may be handed over from one agent to the same other one. Default: 3. */
  readonly maxHandoffs?: number;
  /** How long calls that run are waited for when the run is cancelled or out of time, in milliseconds. Default: 5,000. */
  readonly graceMs?: number;
  /** How long a run stays claimed when its process dies, in milliseconds. It is renewed while it runs. Default: 30,000. */
  readonly leaseMs?: number;
}

export interface RunLimits {
  readonly maxSteps: number;
  readonly closingAnswer: boolean;
  readonly budget: RunBudget;
  readonly timeouts: RunTimeouts;
  readonly toolConcurrency: number;
  readonly maxHandoffs: number;
  readonly graceMs: number;
  readonly leaseMs: number;
}

/** Fills in the defaults; what is out of range is told as `agent_options_invalid`. */
export function resolveLimits(options: RunLimitsOptions, faults: BootFaults): RunLimits {
  const numbers = {
    maxSteps: options.maxSteps ?? 8,
    toolConcurrency: options.toolConcurrency ?? 8,
    maxHandoffs: options.maxHandoffs ?? 3,
    graceMs: options.graceMs ?? 5_000,
    leaseMs: options.leaseMs ?? 30_000,
  };
  inRange(faults, 'maxSteps', numbers.maxSteps, 1, 1_000);
  inRange(faults, 'toolConcurrency', numbers.toolConcurrency, 1, 1_000);
  inRange(faults, 'maxHandoffs', numbers.maxHandoffs, 0, 1_000);
  inRange(faults, 'graceMs', numbers.graceMs, 0, MAX_TIMER_MS);
  inRange(faults, 'leaseMs', numbers.leaseMs, 1_000, MAX_TIMER_MS);
  const { budget = {}, timeouts = {} } = options;
  checkTimeouts(timeouts, faults);
  checkBudget(budget, faults);
  return Object.freeze({ ...numbers, closingAnswer: options.closingAnswer ?? false, budget, timeouts });
}

function checkTimeouts(timeouts: RunTimeouts, faults: BootFaults): void {
  for (const key of ['firstChunkMs', 'betweenChunksMs', 'stepMs', 'totalMs', 'toolMs'] as const) {
    const ms = timeouts[key];
    if (ms !== undefined) inRange(faults, `timeouts.${key}`, ms, 1, MAX_TIMER_MS);
  }
}

function checkBudget({ cost, ...counts }: RunBudget, faults: BootFaults): void {
  for (const key of ['requests', 'toolCalls', 'inputTokens', 'outputTokens'] as const) {
    const limit = counts[key];
    if (limit !== undefined) inRange(faults, `budget.${key}`, limit, 0, Number.MAX_SAFE_INTEGER);
  }
  if (cost === undefined) return;
  if (!(cost.limit >= 0 && Number.isFinite(cost.limit))) {
    faults.add('agent_options_invalid', { key: 'budget.cost.limit', what: 'must be a number from 0 on' });
  }
  // Configuration may come from JavaScript.
  if (typeof cost.priceOf !== 'function') {
    faults.add('agent_options_invalid', { key: 'budget.cost.priceOf', what: 'must be a function' });
  }
}

/** Tells what is out of range as `agent_options_invalid`. */
export function inRange(faults: BootFaults, key: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  faults.add('agent_options_invalid', { key, what: `must be a whole number from ${min} to ${max}` });
}
