import type { ToolResult } from '../../palette/index.js';
import { DispatchError } from '../dispatch-error.js';
import type { Answer } from '../exchange/answer-bytes.js';
import type { ExchangeOutcome } from '../exchange/exchange.js';
import type { ToolCallState } from '../tool-call-state.js';
import { answerContent, hostErrorCode, refusal, refusedByApplication, tooLarge } from '../result/tool-result.js';

const NOTHING = Buffer.alloc(0);

/**
 * What a model is told of how its call ended.
 *
 * @throws DispatchError where the host has to act: `operation_unauthenticated`, `operation_redirected`, `operation_failed`
 */
export function outcomeResult(outcome: ExchangeOutcome, state: ToolCallState, maxBytes: number): ToolResult {
  const { toolCallId } = state.info;
  const operation = state.operation.name;
  if (state.identity === 'mismatched') return refusal(toolCallId, 'operation_identity_mismatch');
  if (outcome.kind === 'closed') throw new DispatchError('operation_failed', { operation });
  // Of an answer that is too large the head counts: that a refusal is long makes it no success.
  const answer = outcome.kind === 'too_large' ? { ...outcome.head, body: NOTHING } : outcome.answer;
  if (isRedirect(answer) && state.operation.allow.has('redirect') && state.identity === 'confirmed') {
    const { location } = answer.headers;
    return { toolCallId, isError: false, content: { redirect: { status: answer.status, location } } };
  }
  const hostCode = hostErrorCode(answer.status);
  if (hostCode !== undefined) throw new DispatchError(hostCode, { operation, upstreamStatus: answer.status });
  if (answer.status >= 400) return refusedByApplication(toolCallId, answer);
  // Something in front of the handler answered in its place: the answer is not the operation's.
  if (state.identity === 'unconfirmed') return refusal(toolCallId, 'operation_identity_mismatch');
  if (outcome.kind === 'too_large') return tooLarge(toolCallId, state.operation.annotations, maxBytes);
  return { toolCallId, isError: false, content: answerContent(answer) };
}

function isRedirect({ status }: Answer): boolean {
  return status >= 300 && status < 400;
}
