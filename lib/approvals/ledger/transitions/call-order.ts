import type { CallFilter } from '../call-ledger.js';
import type { CallRecord } from '../call-record.js';

/** By run, in the order in which runs first proposed; by step and index within a run. */
export function inCallOrder(calls: readonly CallRecord[]): readonly CallRecord[] {
  const runs = new Map<string, number>();
  for (const { runId } of calls) if (!runs.has(runId)) runs.set(runId, runs.size);
  const runOf = ({ runId }: CallRecord) => runs.get(runId) ?? 0;
  return [...calls].sort((one, other) => runOf(one) - runOf(other) || one.step - other.step || one.index - other.index);
}

export function isCallWanted({ runId, step, states }: CallFilter, call: CallRecord): boolean {
  if (runId !== undefined && call.runId !== runId) return false;
  if (step !== undefined && call.step !== step) return false;
  return states?.includes(call.state) ?? true;
}
