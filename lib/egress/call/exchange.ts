import type { ResolvedCredential } from '../egress-credentials.js';
import { EgressError } from '../egress-error.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { isReplayable, type OutboundRequest } from '../request/outbound-request.js';
import type { EgressTransport } from '../transport/egress-transport.js';
import type { CallBudget } from './call-budget.js';
import type { EgressAnswer } from './egress-answer.js';
import { withinSpan } from './egress-span.js';
import { networkFailure } from './network-failure.js';
import { nextHop } from './redirects.js';
import { ResponseBody } from './response-body.js';

/** One attempt at a request: with a credential, with another one if that is refused, and along redirects where those are on. */
export async function exchange(
  settings: EgressServiceSettings,
  transport: EgressTransport,
  request: OutboundRequest,
  budget: CallBudget,
): Promise<EgressAnswer> {
  let current = request;
  for (let hops = 0; ; hops++) {
    const answer = await authenticated(settings, transport, current, budget);
    const next = nextHop(settings, current, answer.body, hops);
    if (next === undefined) return answer;
    answer.body.discard();
    current = next;
  }
}

/** A refused credential may have been rotated since it was provided: it is asked for once more, and the request sent again. */
async function authenticated(
  settings: EgressServiceSettings,
  transport: EgressTransport,
  request: OutboundRequest,
  budget: CallBudget,
): Promise<EgressAnswer> {
  const { credentials } = settings;
  if (credentials === undefined) return transmit(settings, transport, request, undefined, budget);
  const credential = await budget.within(credentials.resolve(request.call));
  const answer = await transmit(settings, transport, request, credential, budget);
  if (answer.body.response.status !== 401 || !isReplayable(request.body)) return answer;
  const renewed = await budget.within(credentials.renew(request.call, credential));
  if (renewed === undefined) return answer;
  answer.body.discard();
  return transmit(settings, transport, request, renewed, budget);
}

async function transmit(
  settings: EgressServiceSettings,
  transport: EgressTransport,
  request: OutboundRequest,
  credential: ResolvedCredential | undefined,
  budget: CallBudget,
): Promise<EgressAnswer> {
  const headers = new Headers(request.headers);
  if (credential !== undefined) headers.set(credential.headerName, credential.headerValue);
  if (settings.deadlineHeader !== undefined) {
    headers.set(settings.deadlineHeader, String(Math.floor(budget.remainingMs)));
  }
  const attempt = { ...request, headers };
  const response = await withinSpan(settings, attempt, () => head(transport, attempt, budget));
  const body = new ResponseBody(response, request.call, budget, settings.maxResponseBytes);
  return { body, url: request.url, secret: credential?.secret };
}

async function head(transport: EgressTransport, request: OutboundRequest, budget: CallBudget): Promise<Response> {
  if (budget.failure !== undefined) throw budget.failure;
  try {
    return await budget.withinHead(transport.send(request, budget.signal));
  } catch (error) {
    throw budget.failure ?? (EgressError.isInstance(error) ? error : networkFailure(request.call, error));
  }
}
