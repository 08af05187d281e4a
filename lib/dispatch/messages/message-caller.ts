import { ownValue, type CallerContext } from '../../common/index.js';
import { ToolCallContext } from './tool-call-context.js';

/**
 * The caller behind a message. What a peer sent is never read: the payload of a tool call is written by a model, and a message
 * of any transport names nobody, so that such a caller is nobody.
 */
export function callerOfMessage(context: unknown): CallerContext {
  if (!(context instanceof ToolCallContext)) return { headers: {} };
  const { call, signal, remoteAddress } = context;
  const headers = context.getHeaders();
  const idempotencyKey = ownValue(headers, 'idempotency-key');
  return {
    headers,
    signal,
    deadline: call.deadline,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
  };
}
