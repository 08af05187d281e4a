import { EgressError } from '../egress-error.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { confine } from '../request/confine.js';
import { isReplayable, type OutboundRequest } from '../request/outbound-request.js';
import type { ResponseBody } from './response-body.js';

const MAX_HOPS = 5;
/** Headers that describe a body that is not sent any more. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

/**
 * The request that a redirect asks for, or undefined where the answer is to be taken as it is. Each hop is confined as the
 * first request was: another origin, also the same host without TLS, is never followed, so that no header of ours gets there.
 *
 * @throws EgressError `egress_redirect_refused`; where it leads is not told: that is text of the upstream, and it may carry
 * a secret of its own.
 */
export function nextHop(
  settings: EgressServiceSettings,
  request: OutboundRequest,
  body: ResponseBody,
  hops: number,
): OutboundRequest | undefined {
  const { status, headers } = body.response;
  if (status < 300 || status >= 400 || request.redirect === 'manual') return undefined;
  const isFollowed = settings.redirects === 'within-base' && request.redirect === 'service' && hops < MAX_HOPS;
  const url = isFollowed ? target(settings, request, status, headers.get('location')) : undefined;
  const next = url === undefined ? undefined : redirected(request, url, status);
  if (next !== undefined) return next;
  const failure = new EgressError('egress_redirect_refused', request.call, {
    parameters: { status },
    upstreamStatus: status,
  });
  body.close(failure);
  throw failure;
}

function target(
  settings: EgressServiceSettings,
  request: OutboundRequest,
  status: number,
  location: string | null,
): URL | undefined {
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const [address = ''] = location.split('#');
  try {
    return confine(settings.base, /^\/(?![/\\])/.test(address) ? request.url.origin + address : address, request.call);
  } catch {
    return undefined;
  }
}

/** As the Fetch standard has it: 303, and a POST that moved, go on as GET without a body; the others go on unchanged. */
function redirected(request: OutboundRequest, url: URL, status: number): OutboundRequest | undefined {
  const becomesGet =
    (status === 303 && !['GET', 'HEAD'].includes(request.method)) || (status <= 302 && request.method === 'POST');
  if (!becomesGet) return isReplayable(request.body) ? { ...request, url } : undefined;
  const headers = new Headers(request.headers);
  for (const name of BODY_HEADERS) headers.delete(name);
  return { ...request, url, method: 'GET', headers, body: undefined };
}
