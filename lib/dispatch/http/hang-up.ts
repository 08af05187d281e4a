import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const WAITING = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back when the connection of a request closes before its answer is complete; at once where it has closed already, since
 * `close` is not told a second time to whoever comes late.
 * @param callback may be called twice
 */
export function onHangUp(request: IncomingMessage, response: ServerResponse, callback: () => void): void {
  // HTTP/2 and requests in memory need not have a socket.
  const socket = request.socket as Socket | null;
  const tell = (): void => {
    if (!response.writableFinished) callback();
  };
  if (response.destroyed || socket?.destroyed) return tell();
  response.once('close', tell);
  if (response.socket === null && socket !== null) watchSocket(socket, response, tell);
}

/**
 * A request that was sent before the one ahead of it was answered: until its turn comes its response has no connection, and is
 * not told that the client is gone. One listener a socket, for the client chooses how many such requests there are.
 */
function watchSocket(socket: Socket, response: ServerResponse, callback: () => void): void {
  const waiting = WAITING.get(socket) ?? listenTo(socket);
  waiting.add(callback);
  response.once('close', () => waiting.delete(callback));
}

function listenTo(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  WAITING.set(socket, waiting);
  socket.once('close', () => {
    for (const tell of waiting) tell();
  });
  return waiting;
}
