import { errorMessage, type ErrorCode } from '../../common/index.js';
import type { CallResult } from './call-record.js';

const CODES = {
  denied: 'approval_denied',
  expired: 'approval_expired',
  cancelled: 'call_cancelled',
  interrupted: 'call_interrupted',
  superseded: 'call_superseded',
  unknown: 'tool_outcome_unknown',
} as const satisfies Record<string, ErrorCode>;

/**
 * What the model is told of a call that was not run, or whose outcome nobody knows: `interrupted` of one that was cancelled once it
 * had been claimed, and may be repeated.
 */
export function endedResult(state: keyof typeof CODES, comment?: string): CallResult {
  const code = CODES[state];
  const details = comment === undefined ? {} : { details: { comment } };
  return { isError: true, content: { code, message: errorMessage(code), ...details } };
}
