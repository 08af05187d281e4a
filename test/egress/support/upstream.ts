import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One request as the upstream received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Upstream {
  readonly origin: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  /** Connections that were ever opened, and those that are open. */
  readonly connections: { opened: number; open: number };
  /** The newest socket, to look at what was written to it. */
  readonly sockets: Socket[];
  /** Replaces what is answered. */
  answer(answer: Answer): void;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A real HTTP server on a free loopback port. */
export async function startUpstream(first: Answer = json({})): Promise<Upstream> {
  let answer = first;
  const requests: ReceivedRequest[] = [];
  const connections = { opened: 0, open: 0 };
  const sockets: Socket[] = [];
  const server = createServer((incoming, response) => {
    void received(incoming).then((request) => {
      requests.push(request);
      answer(response, request);
    });
  });
  server.on('connection', (socket) => {
    connections.opened++;
    connections.open++;
    sockets.push(socket);
    socket.on('close', () => connections.open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections,
    sockets,
    answer: (next) => (answer = next),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

async function received(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}

/** Waits until a condition holds, for things that happen on the other side of a socket. */
export async function until(condition: () => boolean, withinMs = 2_000): Promise<number> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > withinMs) throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return performance.now() - start;
}
