import type { CallSettlement, Withdrawal } from '../call-ledger.js';
import type { CallRecord } from '../call-record.js';
import { endedResult } from '../ended-result.js';
import { keptResult } from './propose.js';

/** Undefined where there is nothing to claim. Whether the fence is live is for the caller to know. */
export function claimed(call: CallRecord, fence: number, now: number): CallRecord | undefined {
  const isClaimable = call.state === 'ready' || (call.isRepeatable && isLeftBehind(call, fence));
  return isClaimable ? { ...call, state: 'executing', fence, attempts: call.attempts + 1, updatedAt: now } : undefined;
}

/** Undefined where the call does not run under this fence. */
export function settled(call: CallRecord, settlement: CallSettlement, now: number): CallRecord | undefined {
  if (call.state !== 'executing' || call.fence !== settlement.fence) return undefined;
  return { ...call, state: settlement.state, result: keptResult(settlement.result), updatedAt: now };
}

/** Undefined where nobody left it behind, or it can be repeated. */
export function abandoned(call: CallRecord, fence: number, now: number): CallRecord | undefined {
  if (call.isRepeatable || !isLeftBehind(call, fence)) return undefined;
  return { ...call, state: 'unknown', result: endedResult('unknown'), updatedAt: now };
}

/** A call that was ready, and is given up. */
export function givenUp(call: CallRecord, state: Withdrawal['as'], now: number): CallRecord {
  return { ...call, state, result: endedResult(state), updatedAt: now };
}

function isLeftBehind(call: CallRecord, fence: number): boolean {
  return call.state === 'executing' && call.fence !== undefined && call.fence < fence;
}
