import { errorMessage, PaletteError, type ErrorCode } from '../../common/index.js';
import type { CallResult } from './call-record.js';
import type { CallSettlement } from './call-ledger.js';
import { endedResult } from './ended-result.js';

/** How a claimed call ended, and what a model is told of it. */
export type CallEnding = Pick<CallSettlement, 'state' | 'result'>;

// Thrown before a handler was reached.
const BEFORE_HANDLER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'operation_unauthenticated',
  'agent_call_required',
  'dispatch_without_http',
  'dispatch_before_init',
  'operation_unconnected',
  'operation_enhancers_skipped',
  'approval_gate_failed',
]);

/** The ending of a call that came to a result. */
export function endingOfResult({ isError, content }: CallResult): CallEnding {
  return { state: isError ? 'failed' : 'succeeded', result: { isError, content } };
}

/**
 * The ending of a call that threw: where it may have happened, and a repeat may do harm, nobody knows. A model is told the code,
 * never more.
 */
export function endingOfError(error: unknown, isRepeatable: boolean): CallEnding {
  const code: ErrorCode = PaletteError.isInstance(error) ? error.code : 'operation_failed';
  if (!isRepeatable && !BEFORE_HANDLER.has(code)) return { state: 'unknown', result: endedResult('unknown') };
  return { state: 'failed', result: { isError: true, content: { code, message: TOLD.get(code) ?? 'It failed.' } } };
}

/** The words for a model: the table's own are for the host, and name an operation. */
const TOLD: ReadonlyMap<ErrorCode, string> = new Map<ErrorCode, string>([
  ['operation_unauthenticated', 'The application does not know who asks. It was not run.'],
  ['approval_gate_failed', 'Whether a person must approve this call could not be found out. It was not run.'],
  ['deadline_exceeded', 'It took too long.'],
  ['dispatch_cancelled', errorMessage('dispatch_cancelled')],
]);
