import diagnostics from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { connectDestination, originDestination } from './destination.js';
import type { EgressGuard } from './egress-guard.js';
import type { UndeclaredEgressError } from './undeclared-egress-error.js';

const CONNECT = Symbol.for('nestjs-palette:egress-guard:CONNECT');

type Connect = (this: Socket, ...parameters: unknown[]) => Socket;

/**
 * Has a guard judge each connection that the process opens, and each request that undici (`fetch`) sends: that may go over a
 * connection which a declared service has opened and left in the pool.
 *
 * @returns stops watching
 */
export function watchConnections(guard: EgressGuard): () => void {
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const connect = prototype.connect;
  prototype.connect = function (this: Socket, ...parameters: unknown[]): Socket {
    const destination = connectDestination(parameters);
    const refused = destination && guard.judge(destination);
    if (refused === undefined) return connect.apply(this, parameters);
    // As a connection that fails does: later, by its `error` event.
    process.nextTick(() => this.destroy(refused));
    return this;
  };
  Reflect.set(prototype.connect, CONNECT, connect);
  const stopWatchingRequests = watchRequests(guard);
  return () => {
    if (Reflect.get(prototype.connect, CONNECT) === connect) prototype.connect = connect;
    stopWatchingRequests();
  };
}

interface UndiciRequest {
  readonly origin?: unknown;
}

/** A request is judged where it is made, in the context of its maker, and stopped where it would be written. */
function watchRequests(guard: EgressGuard): () => void {
  const refused = new WeakMap<object, UndeclaredEgressError>();
  const onCreate = (message: unknown): void => {
    const { request } = message as { readonly request: UndiciRequest };
    const destination = originDestination(request.origin);
    const refusal = destination && guard.judge(destination);
    if (refusal !== undefined) refused.set(request, refusal);
  };
  const onSend = (message: unknown): void => {
    const { request, socket } = message as { readonly request: object; readonly socket: Socket };
    const refusal = refused.get(request);
    if (refusal !== undefined) socket.destroy(refusal);
  };
  diagnostics.subscribe('undici:request:create', onCreate);
  diagnostics.subscribe('undici:client:sendHeaders', onSend);
  return () => {
    diagnostics.unsubscribe('undici:request:create', onCreate);
    diagnostics.unsubscribe('undici:client:sendHeaders', onSend);
  };
}
