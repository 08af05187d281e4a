import type { Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { sendRequest, type WireAnswer, type WireRequest } from './http-client.js';

/**
 * The second way through an application in memory, for comparison: a connection. The server reads a request off it with
 * its own parser and writes an answer to it, byte for byte HTTP/1.1; a client of Node holds the other end.
 */
export async function sendOverReferenceConnection(
  server: Server,
  request: WireRequest,
  remoteAddress = '127.0.0.1',
): Promise<WireAnswer> {
  const [clientEnd, serverEnd] = duplexPair();
  Object.defineProperty(serverEnd, 'remoteAddress', { value: remoteAddress });
  server.emit('connection', serverEnd);
  try {
    return await sendRequest({ createConnection: () => clientEnd as never }, request);
  } finally {
    closeBoth(clientEnd, serverEnd);
  }
}

function closeBoth(...ends: readonly Duplex[]): void {
  for (const end of ends) end.destroy();
}
