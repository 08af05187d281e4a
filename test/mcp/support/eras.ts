import { INITIALIZE, modernBody, modernHeaders } from './raw.js';

/** The protocol's eras, for requests that are written by hand. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** A request as `send` takes it. */
export interface RawRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const LEGACY_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A call of a tool, as clients of that era send it. */
export function toolCall(
  era: Era,
  name: string,
  args: object = {},
  more: { readonly id?: number; readonly progressToken?: string } = {},
): RawRequest {
  const { id = 1, progressToken } = more;
  if (era === '2026-07-28') {
    const message = JSON.parse(modernBody('tools/call', { name, arguments: args }, id)) as {
      params: { _meta: object };
    };
    if (progressToken !== undefined) Object.assign(message.params._meta, { progressToken });
    return { headers: modernHeaders('tools/call', name), body: JSON.stringify(message) };
  }
  const params = { name, arguments: args, ...(progressToken !== undefined && { _meta: { progressToken } }) };
  return {
    headers: { ...LEGACY_HEADERS, 'mcp-protocol-version': era },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  };
}

/** What a client of that era says first. */
export function opening(era: Era): RawRequest {
  return era === '2026-07-28'
    ? { headers: modernHeaders('server/discover'), body: modernBody('server/discover') }
    : { headers: LEGACY_HEADERS, body: INITIALIZE };
}

/** A request without a header, or with another in its place. */
export function withHeaders(request: RawRequest, headers: Record<string, string | undefined>): RawRequest {
  const merged = Object.entries({ ...request.headers, ...headers });
  return {
    ...request,
    headers: Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}
