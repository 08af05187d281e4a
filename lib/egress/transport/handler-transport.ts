import { EgressError } from '../egress-error.js';
import { isDtoClass } from '../declaration/dto-properties.js';
import type { AnyEgressHandler } from '../handlers/egress-handlers.js';
import { EgressReply, type EgressChunk, type EgressChunks } from '../handlers/egress-reply.js';
import type { OutboundRequest } from '../request/outbound-request.js';
import { dtoFromWire } from '../validation/dto-shape.js';
import type { EgressTransport } from './egress-transport.js';

/** A handler in place of the network; its answer becomes bytes, so that nothing passes that could not pass a wire. */
export function handlerTransport(handler: AnyEgressHandler): EgressTransport {
  return { send: (request, signal) => answer(handler, request, signal) };
}

async function answer(handler: AnyEgressHandler, request: OutboundRequest, signal: AbortSignal): Promise<Response> {
  const { method, url, headers, body } = request;
  const text = typeof body === 'string' ? body : undefined;
  const call = { method, url: new URL(url), headers: new Headers(headers), body: text, signal };
  try {
    return responseOf(await handler(handlerArguments(request), call), signal);
  } catch (cause) {
    const parameters = { what: 'its in-process handler threw or answered what no wire carries, see `cause`' };
    throw new EgressError('egress_unavailable', request.call, { parameters, retryable: false, cause });
  }
}

function responseOf(answered: unknown, signal: AbortSignal): Response {
  const reply = answered instanceof EgressReply ? answered : replyOf(answered);
  if ('chunks' in reply.body) return response(streamOf(reply.body.chunks, signal), reply);
  return response(JSON.stringify(reply.body.json) ?? null, reply);
}

function handlerArguments({ operation, wireArguments }: OutboundRequest): unknown {
  const copy: unknown = structuredClone(wireArguments);
  return isDtoClass(operation?.args) ? dtoFromWire(operation.args, copy) : copy;
}

function replyOf(answered: unknown): EgressReply {
  if (isChunks(answered)) return EgressReply.chunks(answered);
  return EgressReply.status(answered === undefined ? 204 : 200, answered);
}

function isChunks(answered: unknown): answered is EgressChunks {
  if (typeof answered !== 'object' || answered === null) return false;
  if (Array.isArray(answered)) return answered.length > 0 && answered.every(isChunk);
  return typeof Reflect.get(answered, Symbol.asyncIterator) === 'function';
}

function isChunk(value: unknown): value is EgressChunk {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function response(body: string | ReadableStream<Uint8Array> | null, reply: EgressReply): Response {
  const headers = new Headers(reply.headers);
  if (typeof body === 'string' && !headers.has('content-type')) headers.set('content-type', 'application/json');
  return new Response(body, { status: reply.status, headers });
}

/** Pulls one chunk at a time, so that a slow reader slows the handler; lets go of the iterable when the call ends. */
function streamOf(chunks: EgressChunks, signal: AbortSignal): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  const encoder = new TextEncoder();
  const letGo = (): void => void Promise.resolve(iterator.return?.()).catch(() => undefined);
  signal.addEventListener('abort', letGo, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done !== true) return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
        signal.removeEventListener('abort', letGo);
        controller.close();
      },
      cancel: letGo,
    },
    { highWaterMark: 0 },
  );
}
