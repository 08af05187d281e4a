import type { OutboundRequest } from '../request/outbound-request.js';

/** Takes a request to its upstream, and yields the head of the answer; the body comes as it comes. */
export interface EgressTransport {
  /** Closes its connection as soon as `signal` aborts, also in the middle of the body. */
  send(request: OutboundRequest, signal: AbortSignal): Promise<Response>;
}
