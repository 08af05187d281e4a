import { ownValue, type CallerContext } from '../../common/index.js';

const FORBIDDEN = new Set([
  'connection',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'origin',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers that describe the caller's own message, connection or copy of a resource (conditions, ranges), and would be wrong
 * on the dispatched one.
 */
export function isForbiddenHeader(name: string): boolean {
  return FORBIDDEN.has(name) || /^(content-|sec-|accept|if-)/.test(name);
}

/** The caller's headers that go along with a tool call, and the call's own idempotency key. */
export function forwardedHeaders(
  caller: CallerContext,
  forwarded: ReadonlySet<string>,
  idempotencyKey: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of forwarded) {
    const value = ownValue(caller.headers, name);
    if (typeof value === 'string') headers[name] = value;
  }
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  return headers;
}

export interface RequestHeadersInput {
  readonly caller: CallerContext;
  readonly forwarded: ReadonlySet<string>;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer | undefined;
  /** Headers that the route needs: its host, its version. */
  readonly routeHeaders: Readonly<Record<string, string>>;
}

/** The headers of a dispatched request: its own framing, the caller's by allow-list, and over those what the route needs. */
export function requestHeaders(input: RequestHeadersInput): Record<string, string> {
  const { caller, forwarded, idempotencyKey, body, routeHeaders } = input;
  const headers: Record<string, string> = {
    host: 'localhost',
    accept: 'application/json',
    ...forwardedHeaders(caller, forwarded, idempotencyKey),
    ...routeHeaders,
  };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }
  return headers;
}
