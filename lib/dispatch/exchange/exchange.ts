import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { readAnswer, readHead, type Answer, type AnswerHead } from './answer-bytes.js';
import type { MessageClasses } from './message-classes.js';
import { StubSocket } from './stub-socket.js';
import { unpackAnswer } from './unpack-answer.js';

/** A server that is ready to take requests, and what its messages are made with. */
export interface ExchangeServer {
  readonly server: Server;
  readonly classes: MessageClasses;
}

export interface ExchangeRequest {
  readonly method: string;
  /** Path and query, as they would stand in the request line. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly remoteAddress: string;
}

export interface ExchangeOptions {
  /** Bytes of head and body of which no more is kept. */
  readonly maxBytes: number;
  /**
   * Whether an answer that is larger is waited for all the same. What only reads can be broken off; of what acts only the end of
   * its answer tells that it was done.
   */
  readonly isReadToEnd: boolean;
  /** What may end the exchange before the answer is complete. */
  readonly ending: ExchangeEnding;
  /** Called with the request just before the application gets it. */
  readonly onRequest: (request: IncomingMessage) => void;
}

export interface ExchangeEnding {
  readonly hasEnded: boolean;
  /** Calls back once, until it is let go of. @returns lets go */
  onEnd(callback: () => void): () => void;
}

export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'too_large'; readonly head: AnswerHead }
  /** The connection closed before the answer was complete, or the answer cannot be read. */
  | { readonly kind: 'closed' };

/**
 * One request through an HTTP server, in memory: the server gets real request and response objects and does with
 * them what it does with those of a connection. No port is used; the caller's async context is kept.
 */
export function exchange(
  { server, classes }: ExchangeServer,
  request: ExchangeRequest,
  options: ExchangeOptions,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const collector = new AnswerCollector(options.maxBytes, () => {
      if (!options.isReadToEnd) settle(answered(collector, options.maxBytes));
    });
    const socket = new StubSocket({
      remoteAddress: request.remoteAddress,
      encrypted: server instanceof TlsServer,
      onBytes: (bytes) => collector.add(bytes),
    });
    const incoming = incomingMessage(classes, socket, request);
    const response = serverResponse(classes, socket, incoming);
    let isSettled = false;
    const settle = (outcome: ExchangeOutcome): void => {
      // A response that has finished closes as well: its request was answered, not aborted.
      if (isSettled) return;
      isSettled = true;
      letGo();
      resolve(outcome);
      hangUp(socket, incoming, outcome.kind === 'answered');
    };
    const close = (): void => settle({ kind: 'closed' });
    const letGo = options.ending.onEnd(close);
    response.once('finish', () => settle(answered(collector, options.maxBytes)));
    response.once('close', close);
    // A server listens to its sockets. Without that an application that breaks off its answer with an error would end the process.
    socket.on('error', close);
    if (options.ending.hasEnded) return close();
    try {
      options.onRequest(incoming);
      server.emit('request', incoming, response);
    } catch {
      close();
    }
  });
}

class AnswerCollector {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onOverflow: () => void,
  ) {}

  get isOver(): boolean {
    return this.#size > this.maxBytes;
  }

  /** The first piece that is too much is kept as well, since the head may be in it; the rest is not. */
  add(bytes: Buffer): void {
    if (this.isOver) return;
    this.#size += bytes.length;
    this.#chunks.push(bytes);
    if (this.isOver) this.onOverflow();
  }

  get bytes(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }
}

function incomingMessage({ Request }: MessageClasses, socket: StubSocket, request: ExchangeRequest): IncomingMessage {
  const incoming = new Request(socket as unknown as Socket);
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  incoming.httpVersion = '1.1';
  incoming.method = request.method;
  incoming.url = request.url;
  incoming.rawHeaders = [];
  incoming.headers = { ...request.headers };
  const distinct: Record<string, string[]> = {};
  for (const name of Object.keys(request.headers)) {
    const value = request.headers[name] as string;
    incoming.rawHeaders.push(name, value);
    distinct[name] = [value];
  }
  incoming.headersDistinct = distinct;
  incoming.complete = true;
  if (request.body !== undefined) incoming.push(request.body);
  incoming.push(null);
  return incoming;
}

function serverResponse({ Response }: MessageClasses, socket: StubSocket, incoming: IncomingMessage): ServerResponse {
  const response = new Response(incoming);
  response.useChunkedEncodingByDefault = false;
  response.shouldKeepAlive = false;
  response.assignSocket(socket as unknown as Socket);
  return response;
}

function answered(collector: AnswerCollector, maxBytes: number): ExchangeOutcome {
  if (collector.isOver) return tooLarge(readHead(collector.bytes));
  const packed = readAnswer(collector.bytes);
  if (packed === undefined) return { kind: 'closed' };
  try {
    const answer = unpackAnswer(packed, maxBytes);
    return answer === undefined ? tooLarge(packed) : { kind: 'answered', answer };
  } catch {
    return { kind: 'closed' };
  }
}

function tooLarge(head: AnswerHead | undefined): ExchangeOutcome {
  return head === undefined ? { kind: 'closed' } : { kind: 'too_large', head };
}

/** Ends the connection as a server would: after an answer what was not read is dropped, before one it is aborted. */
function hangUp(socket: StubSocket, incoming: IncomingMessage, isAnswered: boolean): void {
  if (!isAnswered) incoming.destroy();
  else if (!incoming.readableEnded) incoming.resume();
  socket.destroy();
}
