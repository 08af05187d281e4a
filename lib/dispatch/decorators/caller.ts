import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { rawRequestOf, type CallerContext } from '../../common/index.js';
import { callerOfMessage } from '../messages/message-caller.js';
import { onHangUp } from '../http/hang-up.js';
import { toolCallOf } from '../tool-call-state.js';

/**
 * Gives a handler its caller, to pass on to `dispatch`: the request's headers, address and end. A message handler gets the
 * caller of its tool call; of a message that is none nothing is known.
 */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): CallerContext => {
  if (context.getType() === 'rpc') return callerOfMessage(context.switchToRpc().getContext());
  const http = context.switchToHttp();
  return callerOf(http.getRequest<object>(), http.getResponse<object>());
});

/** The caller behind a request of Express or Fastify. `signal` aborts when the connection closes without an answer. */
export function callerOf(request: object, response: object): CallerContext {
  const controller = new AbortController();
  const raw = rawRequestOf(request) as IncomingMessage;
  onHangUp(raw, (rawRequestOf(response) ?? response) as ServerResponse, () => controller.abort());
  return { ...senderOf(request), signal: controller.signal };
}

/** Who sent a request of Express or Fastify, without a look at whether they are still there. */
export function senderOf(request: object): CallerContext {
  const raw = rawRequestOf(request) as IncomingMessage;
  const deadline = toolCallOf(request)?.info.deadline;
  const address: unknown = Reflect.get(request, 'ip') ?? raw.socket.remoteAddress;
  const idempotencyKey = raw.headers['idempotency-key'];
  return {
    headers: headerTexts(raw.headers),
    ...(typeof address === 'string' ? { remoteAddress: address } : {}),
    ...(deadline === undefined ? {} : { deadline }),
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
  };
}

function headerTexts(headers: IncomingMessage['headers']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    texts[name] = Array.isArray(value) ? value.join(name === 'cookie' ? '; ' : ', ') : value;
  }
  return texts;
}
