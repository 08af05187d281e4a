import { errorMessage, type ErrorCode } from '../../common/index.js';
import type { CallResult } from '../../approvals/index.js';

/** What a model is told of a call of which nobody kept a result. */
export function missingResult(): CallResult {
  return errorResult('tool_result_missing');
}

export function errorResult(code: ErrorCode, details?: unknown): CallResult {
  return { isError: true, content: { code, message: errorMessage(code), ...(details !== undefined && { details }) } };
}
