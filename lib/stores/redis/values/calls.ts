import type { CallRecord, CallResult, CallState } from '../../../approvals/ledger/index.js';
import { fieldOf, hashOf, jsonOf, numberOf, optionalNumberOf } from './hash.js';
import { fromOptionalText, fromText, toText } from './texts.js';

/** A call that is proposed, as a script takes it. What never changes is one field. */
export function callInput(call: CallRecord) {
  const { conversationId, callId, runId, step, index, agent, toolCallId, toolName, idempotencyKey, isRepeatable } =
    call;
  const unchanging = { conversationId, callId, runId, step, index, agent, toolCallId, toolName, idempotencyKey };
  const fields: Record<string, string> = {
    call: JSON.stringify({ ...unchanging, isRepeatable }),
    isRepeatable: isRepeatable ? '1' : '0',
    arguments: toText(call.arguments),
    argumentsHash: toText(call.argumentsHash),
    state: call.state,
    attempts: '0',
    ...(call.approvalId === undefined ? {} : { approvalId: toText(call.approvalId) }),
    ...(call.result === undefined ? {} : { result: resultText(call.result) }),
  };
  return { callId: toText(callId), runId: toText(runId), step, index, fields: Object.entries(fields).flat() };
}

export function resultText({ isError, content }: CallResult): string {
  return JSON.stringify({ isError, content: content ?? null });
}

export function callOf(row: unknown): CallRecord {
  const hash = hashOf(row);
  return {
    ...(jsonOf(hash, 'call') as CallRecord),
    state: fieldOf(hash, 'state') as CallState,
    arguments: fromText(fieldOf(hash, 'arguments')),
    argumentsHash: fromText(fieldOf(hash, 'argumentsHash')),
    originalArguments: fromOptionalText(hash.get('originalArguments')),
    approvalId: fromOptionalText(hash.get('approvalId')),
    attempts: numberOf(hash, 'attempts'),
    fence: optionalNumberOf(hash, 'fence'),
    result: hash.has('result') ? (jsonOf(hash, 'result') as CallResult) : undefined,
    updatedAt: numberOf(hash, 'updatedAt'),
  };
}

/** Of a reply `calls`. */
export function callsOf(rows: unknown): readonly CallRecord[] {
  return (rows as readonly unknown[]).map(callOf);
}
