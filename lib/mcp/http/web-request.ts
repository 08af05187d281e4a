import type { IncomingMessage } from 'node:http';

const FORWARDED = /^(mcp-|accept$|content-type$|last-event-id$)/;

/** What no web request may be. */
const IMPOSSIBLE: ReadonlySet<unknown> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/**
 * A request as the protocol's own code takes it: the method and the headers that are about the protocol. Its body is handed
 * over parsed, and what identifies the caller stays here. Undefined for a method that can be none.
 */
export function webRequest(raw: IncomingMessage): Request | undefined {
  if (IMPOSSIBLE.has(raw.method)) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined && FORWARDED.test(name)) headers[name] = String(value);
  }
  return new Request('http://localhost/', { method: raw.method ?? 'GET', headers });
}
