import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { confine } from '../request/confine.js';
import { withoutReservedHeaders } from '../request/header-names.js';
import type { DraftRequest } from '../request/outbound-request.js';
import type { EgressTransport } from '../transport/egress-transport.js';
import type { CallBudget } from './call-budget.js';
import type { EgressAnswer } from './egress-answer.js';
import { exchange } from './exchange.js';
import { withRetries } from './retries.js';

/**
 * The one way out: confine, strip headers, then attempt it: add our credential, send, wrap the body. The budget is running
 * before the first step, since a slow provider of a secret costs the same time as a slow upstream.
 *
 * @throws EgressError what the request was refused for, or why no answer came.
 */
export async function send(
  settings: EgressServiceSettings,
  transport: EgressTransport,
  draft: DraftRequest,
  budget: CallBudget,
): Promise<EgressAnswer> {
  const url = confine(settings.base, draft.address, draft.call);
  const request = { ...draft, url, headers: withoutReservedHeaders(draft.headers) };
  return withRetries(settings.retries, draft, budget, () => exchange(settings, transport, request, budget));
}
