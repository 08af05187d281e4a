import { CallBudget } from '../call/call-budget.js';
import { send } from '../call/egress-pipeline.js';
import { EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import type { EgressTransport } from '../transport/egress-transport.js';
import { bodyStream } from './body-stream.js';
import { draftOf, signalOf } from './fetch-request.js';
import { refusalResponse } from './refusal-response.js';

/** What the SDKs of vendors take in place of the platform's `fetch`. */
export type EgressFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What SDKs ask, to see what kind of `Response` their fetch makes. */
const PROBE = 'data:,';
const BODILESS = new Set([204, 205, 304]);

/** A fetch that sends as `invoke` does: confined, with our credential and no other, limited in time and size. */
export function egressFetch(settings: EgressServiceSettings, transport: () => EgressTransport): EgressFetch {
  const call = Object.freeze({ service: settings.name, operation: 'fetch' });
  return async (input, init) => {
    if (input === PROBE) return new Response('');
    const signal = signalOf(input, init);
    const budget = new CallBudget(call, settings, { signal });
    try {
      return await answered(settings, transport, call, budget, input, init);
    } catch (error) {
      budget.end();
      // As fetch does it: whoever aborted is told their own reason.
      if (signal?.aborted === true && isCancelled(error)) throw signal.reason;
      if (EgressError.isInstance(error) && !error.retryable) return refusalResponse(error);
      throw error;
    }
  };
}

async function answered(
  settings: EgressServiceSettings,
  transport: () => EgressTransport,
  call: EgressCallName,
  budget: CallBudget,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  if (budget.failure !== undefined) throw budget.failure;
  const draft = draftOf(call, settings, input, init);
  const { body, url } = await send(settings, transport(), draft, budget);
  const { status, statusText, headers } = body.response;
  const isBodiless = BODILESS.has(status) || body.response.body === null;
  if (isBodiless) budget.end();
  const reader = isBodiless ? null : bodyStream(body, call, headers, signalOf(input, init));
  const response = new Response(reader, { status, statusText, headers });
  return Object.defineProperty(response, 'url', { value: url.href });
}

function isCancelled(error: unknown): boolean {
  return EgressError.isInstance(error) && error.code === 'egress_cancelled';
}
