import { ownValue, type CallerContext } from '../../common/index.js';

const FORBIDDEN = new Set([
  'connection',
  'expect',
  'host',
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

/** The caller's headers that go along with a tool call, and its idempotency key. */
export function forwardedHeaders(caller: CallerContext, forwarded: ReadonlySet<string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of forwarded) {
    const value = ownValue(caller.headers, name);
    if (typeof value === 'string') headers[name] = value;
  }
  if (caller.idempotencyKey !== undefined) headers['idempotency-key'] = caller.idempotencyKey;
  return headers;
}

export interface RequestHeadersInput {
  readonly caller: CallerContext;
  readonly forwarded: ReadonlySet<string>;
  readonly body: Buffer | undefined;
  /** Headers that the route needs: its host, its version. */
  readonly routeHeaders: Readonly<Record<string, string>>;
}

/** The headers of a dispatched request: its own framing, the route's, and the caller's by allow-list. */
export function requestHeaders({ caller, forwarded, body, routeHeaders }: RequestHeadersInput): Record<string, string> {
  const headers: Record<string, string> = {
    host: 'localhost',
    accept: 'application/json',
    ...routeHeaders,
    ...forwardedHeaders(caller, forwarded),
  };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }
  return headers;
}
