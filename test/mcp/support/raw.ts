import { sendRequest, type WireAnswer } from '../../support/http-client.js';

/** A message of the 2026 era, as it goes over the wire. */
export function modernBody(
  method: string,
  params: Record<string, unknown> = {},
  id: number | string = 1,
  capabilities: object = {},
): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
}

/** The headers that go with such a message. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

/** A message of the 2025 era. */
export function legacyBody(method: string, params: Record<string, unknown> = {}, id: number | string = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** The headers that go with such a message. */
export const LEGACY_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

/** The eras of the protocol, as they go over the wire. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

/** A message of an era, with its headers. @param name of the tool, prompt or resource that it is about */
export function rawRequest(era: Era, method: string, params: Record<string, unknown> = {}, name?: string, id = 1) {
  return era === '2026-07-28'
    ? { headers: modernHeaders(method, name), body: modernBody(method, params, id) }
    : { headers: { ...LEGACY_HEADERS }, body: legacyBody(method, params, id) };
}

/** The opening message of the 2025 era. */
export const INITIALIZE = legacyBody('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

export interface RawAnswer {
  readonly status: number;
  readonly headers: WireAnswer['headers'];
  readonly text: string;
}

/** Sends bytes to a path of an application, with a `Host` unless there is one among the headers. */
export async function send(
  base: string,
  request: {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  },
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(base);
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  const answer = await sendRequest(
    { hostname, port },
    {
      method: request.method ?? 'POST',
      path: request.path ?? '/mcp',
      headers: { host, ...(body && { 'content-length': String(body.length) }), ...request.headers },
      body,
    },
  );
  return { status: answer.status, headers: answer.headers, text: answer.body.toString('utf8') };
}

/** The message in an answer, which may be an event stream. */
export function messageIn({ text, headers }: RawAnswer): {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
} {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return JSON.parse(isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? 'null') : text) as never;
}
