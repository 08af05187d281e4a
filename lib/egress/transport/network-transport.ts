import type { OutboundRequest } from '../request/outbound-request.js';
import type { EgressTransport } from './egress-transport.js';

/** The platform's fetch, looked up at each call so that instrumentation of it is seen. It never follows a redirect. */
export const networkTransport: EgressTransport = {
  send: ({ url, method, headers, body }: OutboundRequest, signal: AbortSignal) =>
    globalThis.fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal, duplex: 'half' }),
};
