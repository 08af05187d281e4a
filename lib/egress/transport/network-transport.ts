import { asDeclaredEgress } from '../../common/index.js';
import { telemetry } from '../../telemetry/index.js';
import type { OutboundRequest } from '../request/outbound-request.js';
import type { EgressTransport } from './egress-transport.js';

/** Where the platform's `fetch` takes its connections from. */
export type FetchDispatcher = NonNullable<RequestInit['dispatcher']>;

/**
 * The platform's fetch, looked up at each call so that instrumentation of it is seen, over connections of the service's own
 * where it has a dispatcher. It never follows a redirect.
 */
export function networkTransport(dispatcher?: FetchDispatcher): EgressTransport {
  return {
    send: ({ url, method, headers, body }: OutboundRequest, signal: AbortSignal) =>
      asDeclaredEgress(() =>
        telemetry.suppress(() =>
          globalThis.fetch(url, {
            method,
            headers,
            body: body ?? null,
            redirect: 'manual',
            signal,
            duplex: 'half',
            ...(dispatcher !== undefined && { dispatcher }),
          }),
        ),
      ),
  };
}
