import { isPlainObject, ownValue } from '../../common/index.js';
import type { ToolResult } from '../../palette/index.js';
import { DispatchError } from '../dispatch-error.js';
import { hostErrorCode, ownCode, statusCode } from '../result/tool-result.js';

// What Nest's default filter makes of everything that is no RpcException; a guard that says no is one, with its own text.
const UNKNOWN = 'Internal server error';
const FORBIDDEN = 'Forbidden resource';

/**
 * What a model is told of an error that a message handler answered with, after the application's filters had it.
 *
 * @throws DispatchError where it is no refusal: `operation_failed`, `operation_unauthenticated`
 */
export function refusedByHandler(toolCallId: string, operation: string, error: unknown): ToolResult {
  const fields = isPlainObject(error) ? error : {};
  const message = ownValue(fields, 'message');
  const status = ownValue(fields, 'statusCode');
  const hostCode = typeof status === 'number' ? hostErrorCode(status) : undefined;
  if (hostCode !== undefined) throw new DispatchError(hostCode, { operation });
  if (typeof message !== 'string' || message === UNKNOWN) throw new DispatchError('operation_failed', { operation });
  const named = typeof status === 'number' ? statusCode(status) : message === FORBIDDEN ? 'forbidden' : 'refused';
  const details = ownValue(fields, 'details');
  const content = {
    code: ownCode(ownValue(fields, 'code')) ?? named,
    message,
    ...(details === undefined ? {} : { details }),
  };
  return { toolCallId, isError: true, content };
}
