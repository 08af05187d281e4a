import { INITIALIZE, LEGACY_HEADERS, rawRequest, type Era } from './raw.js';

/** A request as `send` takes it. */
export interface RawRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A call of a tool, as clients of that era send it. @param progressToken of a client that wants to hear of its progress */
export function toolCall(era: Era, name: string, args: object = {}, progressToken?: string): RawRequest {
  const { headers, body } = rawRequest(era, 'tools/call', { name, arguments: args }, name);
  if (progressToken === undefined) return { headers, body };
  const message = JSON.parse(body) as { params: { _meta?: object } };
  message.params._meta = { ...message.params._meta, progressToken };
  return { headers, body: JSON.stringify(message) };
}

/** What a client of that era says first. */
export function opening(era: Era): RawRequest {
  return era === '2026-07-28'
    ? rawRequest(era, 'server/discover')
    : { headers: { ...LEGACY_HEADERS }, body: INITIALIZE };
}

/** The same request with other headers; undefined for one that is left out. */
export function withHeaders(request: RawRequest, headers: Readonly<Record<string, string | undefined>>): RawRequest {
  const merged = Object.entries({ ...request.headers, ...headers });
  return {
    ...request,
    headers: Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}
