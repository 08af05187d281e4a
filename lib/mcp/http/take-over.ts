import type { ServerResponse } from 'node:http';
import { rawRequestOf } from '../../common/index.js';

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Record<string, number | string | string[]>;
  hijack(): unknown;
}

/**
 * The Node response underneath, to be written by us: an event stream goes out as it comes. What the application has put into
 * the headers so far (CORS, security headers) stays there.
 */
export function takeOver(response: object): ServerResponse {
  const raw = rawRequestOf(response) as ServerResponse;
  if (raw === response) return raw;
  const reply = response as FastifyReply;
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value);
  reply.hijack();
  return raw;
}
