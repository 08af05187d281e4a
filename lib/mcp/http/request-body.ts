import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** How many messages one request may hold. Each may be a call, and whoever counts requests counts them as one. */
export const MAX_MESSAGES = 10;
/** Since this revision it holds one. Revisions are dates, and so compare as texts. */
const NO_BATCHES_SINCE = '2025-06-18';
// Parsers of applications leave it out as well.
const BYTE_ORDER_MARK = /^\uFEFF/;

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'none' | 'malformed' | 'too_large' | 'too_many' | 'batch' }
  /** Its client went away before it had said all. */
  | { readonly kind: 'gone' };

/**
 * The JSON of a request: what a body parser of the application has made of it, or what is still in the stream.
 * @param request of the platform, with `body` where a parser has read it
 */
export async function requestBody(request: object, raw: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const parsed: unknown = Reflect.get(request, 'body');
  if (typeof parsed === 'string' || Buffer.isBuffer(parsed)) return jsonOf(parsed, raw);
  // A parser of Fastify's may hand on the stream as it is.
  if (parsed !== undefined && !(parsed instanceof Readable)) return bodyOf(parsed, raw);
  const stream = parsed ?? raw;
  return stream.readableEnded ? { kind: 'none' } : readStream(stream, raw, maxBytes);
}

async function readStream(stream: Readable, raw: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  if (Number(raw.headers['content-length']) > maxBytes) return { kind: 'too_large' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) return { kind: 'too_large' };
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (!raw.complete) return { kind: 'gone' };
    throw error;
  }
  return jsonOf(Buffer.concat(chunks), raw);
}

function jsonOf(text: string | Buffer, raw: IncomingMessage): RequestBody {
  if (text.length === 0) return { kind: 'none' };
  try {
    return bodyOf(JSON.parse(text.toString('utf8').replace(BYTE_ORDER_MARK, '')), raw);
  } catch {
    return { kind: 'malformed' };
  }
}

function bodyOf(value: unknown, { headers }: IncomingMessage): RequestBody {
  if (!Array.isArray(value)) return { kind: 'json', value };
  const revision = headers['mcp-protocol-version'];
  if (revision !== undefined && revision >= NO_BATCHES_SINCE) return { kind: 'batch' };
  return value.length > MAX_MESSAGES ? { kind: 'too_many' } : { kind: 'json', value };
}
