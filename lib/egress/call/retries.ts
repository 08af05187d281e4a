import { EgressError } from '../egress-error.js';
import type { EgressRetrySettings } from '../gate/egress-settings.js';
import { isReplayable, type DraftRequest } from '../request/outbound-request.js';
import type { CallBudget } from './call-budget.js';
import type { EgressAnswer } from './egress-answer.js';
import { wasNeverSent } from './network-failure.js';
import { retryAfterMs } from './retry-after.js';
import { isCreditExhausted, isRetryableStatus, MAX_ERROR_BYTES } from './upstream-refusal.js';

type Attempt = () => Promise<EgressAnswer>;
type Outcome = EgressAnswer | { readonly error: unknown };

/**
 * Attempts a request until it is answered for good. What may have reached the upstream is attempted again only if the
 * upstream may be told twice; what never left, in any case. It ends with the head of an answer, so that nothing is attempted
 * again once a byte of the answer was handed on.
 */
export async function withRetries(
  policy: EgressRetrySettings,
  draft: DraftRequest,
  budget: CallBudget,
  attempt: Attempt,
): Promise<EgressAnswer> {
  if (!isReplayable(draft.body)) return attempt();
  for (let count = 0; count < policy.max; count++) {
    const outcome: Outcome = await attempt().catch((error: unknown) => ({ error }));
    if (budget.failure !== undefined) throw budget.failure;
    const pauseMs = (await isWorthAnother(outcome, draft)) ? pauseBefore(count, outcome, policy) : undefined;
    if (pauseMs === undefined || pauseMs >= budget.remainingMs) return settled(outcome);
    if ('body' in outcome) outcome.body.discard();
    await budget.pause(pauseMs);
  }
  return attempt();
}

async function isWorthAnother(outcome: Outcome, { isRepeatable }: DraftRequest): Promise<boolean> {
  if (!('body' in outcome)) {
    const { error } = outcome;
    const isTransient = EgressError.isInstance(error) && error.code === 'egress_unavailable' && error.retryable;
    return isTransient && (isRepeatable || wasNeverSent(error));
  }
  const { status, headers } = outcome.body.response;
  if (!isRepeatable || !isRetryableStatus(status) || headers.get('x-should-retry') === 'false') return false;
  return status !== 429 || !isCreditExhausted(await outcome.body.peek(MAX_ERROR_BYTES));
}

/** Undefined where the upstream asks for more time than the service waits. Half of a pause of our own is chance. */
function pauseBefore(count: number, outcome: Outcome, policy: EgressRetrySettings): number | undefined {
  const asked = 'body' in outcome ? retryAfterMs(outcome.body.response.headers) : undefined;
  if (asked !== undefined) return asked <= policy.maxDelayMs ? asked : undefined;
  return Math.min(policy.maxDelayMs, policy.delayMs * 2 ** count) * (0.5 + Math.random() / 2);
}

function settled(outcome: Outcome): EgressAnswer {
  if ('body' in outcome) return outcome;
  throw outcome.error;
}
