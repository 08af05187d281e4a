import { request as nodeRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';

/** A request as it goes over the wire: nothing is added to it. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** An answer as it came over the wire: nothing is decoded. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request to a port, or over a connection (`createConnection`), and reads the whole answer. */
export function sendRequest(target: RequestOptions, { body, ...request }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = nodeRequest({ ...target, ...request, setHost: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
