import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { rawRequestOf } from '../../common/index.js';
import { ToolCallContext } from '../../dispatch/index.js';

const HEADER = 'idempotency-key';

/**
 * Gives a handler the key that all attempts at one call share: of a call of an agent the ledger's, of plain HTTP the header
 * `Idempotency-Key` of the client; undefined where there is none.
 */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined => {
  const headers = headersOf(context);
  const key = headers !== undefined && Object.hasOwn(headers, HEADER) ? headers[HEADER] : undefined;
  return typeof key === 'string' && key !== '' ? key : undefined;
});

function headersOf(context: ExecutionContext): Readonly<Record<string, unknown>> | undefined {
  if (context.getType() === 'http') {
    return (rawRequestOf(context.switchToHttp().getRequest()) as IncomingMessage | undefined)?.headers;
  }
  const call: unknown = context.getType() === 'rpc' ? context.switchToRpc().getContext() : undefined;
  return call instanceof ToolCallContext ? call.getHeaders() : undefined;
}
