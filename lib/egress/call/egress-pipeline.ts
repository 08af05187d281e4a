import { EgressError } from '../egress-error.js';
import type { ResolvedCredential } from '../egress-credentials.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { confine } from '../request/confine.js';
import { withoutReservedHeaders } from '../request/header-names.js';
import type { DraftRequest, OutboundRequest } from '../request/outbound-request.js';
import type { EgressTransport } from '../transport/egress-transport.js';
import type { CallBudget } from './call-budget.js';
import { networkFailure } from './network-failure.js';
import { ResponseBody } from './response-body.js';

/** An answer whose status nobody has looked at yet. */
export interface EgressAnswer {
  readonly body: ResponseBody;
  /** What must not appear in anything that is said about the answer. */
  readonly secret: string | undefined;
}

/**
 * The one way out: confine, strip headers, add our credential, send, wrap the body. The budget is running before the first
 * step, since a slow provider of a secret costs the same time as a slow upstream.
 *
 * @throws EgressError what the request was refused for, or why no answer came.
 */
export async function send(
  settings: EgressServiceSettings,
  transport: EgressTransport,
  draft: DraftRequest,
  budget: CallBudget,
): Promise<EgressAnswer> {
  const { call } = draft;
  const url = confine(settings.base, draft.address, call);
  const headers = withoutReservedHeaders(draft.headers);
  const credential = await budget.within(resolveCredential(settings, draft));
  if (credential !== undefined) headers.set(credential.headerName, credential.headerValue);
  const response = await transmit(transport, { ...draft, url, headers }, budget);
  const body = new ResponseBody(response, call, budget, settings.maxResponseBytes);
  if (response.status >= 300 && response.status < 400) throw redirected(draft, body);
  return { body, secret: credential?.secret };
}

async function resolveCredential(
  settings: EgressServiceSettings,
  draft: DraftRequest,
): Promise<ResolvedCredential | undefined> {
  return settings.credentials?.resolve(draft.call);
}

async function transmit(transport: EgressTransport, request: OutboundRequest, budget: CallBudget): Promise<Response> {
  if (budget.failure !== undefined) throw budget.failure;
  try {
    return await budget.within(transport.send(request, budget.signal));
  } catch (error) {
    throw budget.failure ?? (EgressError.isInstance(error) ? error : networkFailure(request.call, error));
  }
}

/** Where a redirect leads is not told: it is the upstream's text, and it may carry a secret of its own. */
function redirected(draft: DraftRequest, body: ResponseBody): EgressError {
  const { status } = body.response;
  const failure = new EgressError('egress_redirect_refused', draft.call, {
    parameters: { status },
    upstreamStatus: status,
  });
  body.close(failure);
  return failure;
}
