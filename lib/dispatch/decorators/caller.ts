import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { rawRequestOf, type CallerContext } from '../../common/index.js';
import { toolCallOf } from '../tool-call-state.js';

/** Gives a handler its caller, to pass on to `dispatch`: the request's headers, address and end. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): CallerContext => {
  const http = context.switchToHttp();
  return callerOf(http.getRequest<object>(), http.getResponse<object>());
});

/** The caller behind a request of Express or Fastify. `signal` aborts when the connection closes without an answer. */
export function callerOf(request: object, response: object): CallerContext {
  const raw = rawRequestOf(request) as IncomingMessage;
  const deadline = toolCallOf(request)?.info.deadline;
  const address: unknown = Reflect.get(request, 'ip') ?? raw.socket.remoteAddress;
  const idempotencyKey = raw.headers['idempotency-key'];
  return {
    headers: Object.fromEntries(Object.entries(raw.headers).flatMap(headerText)),
    signal: connectionSignal((rawRequestOf(response) ?? response) as ServerResponse),
    ...(typeof address === 'string' ? { remoteAddress: address } : {}),
    ...(deadline === undefined ? {} : { deadline }),
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
  };
}

function headerText([name, value]: [string, string | string[] | undefined]): [string, string][] {
  if (value === undefined) return [];
  return [[name, Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value]];
}

function connectionSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
