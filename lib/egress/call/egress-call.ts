import { EgressError, type EgressCallName } from '../egress-error.js';
import type { EgressOperation } from '../declaration/egress-operation.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import { withIdempotencyKey } from '../request/idempotency-key.js';
import type { RequestPlacement } from '../request/place-arguments.js';
import type { EgressTransport } from '../transport/egress-transport.js';
import { validateArguments, validateReply } from '../validation/validate-shape.js';
import { CallBudget } from './call-budget.js';
import type { EgressCallOptions } from './egress-call-options.js';
import { send } from './egress-pipeline.js';
import { readWhole, type ResponseBody } from './response-body.js';
import { upstreamRefusal } from './upstream-refusal.js';

/** Everything that stays the same between two calls of one operation. */
export interface EgressTarget {
  readonly call: EgressCallName;
  readonly operation: EgressOperation;
  readonly placement: RequestPlacement;
  readonly settings: EgressServiceSettings;
  /** Looked up at each call: a handler may have come or gone. */
  readonly transport: () => EgressTransport;
}

/** Sends a call and yields its reply, checked. */
export async function invokeTarget(target: EgressTarget, args: unknown, options: EgressCallOptions): Promise<unknown> {
  const budget = new CallBudget(target.call, target.settings, options);
  const bytes = await readWhole(await openReply(target, args, options, budget));
  const { returns } = target.operation;
  if (returns === undefined) return undefined;
  const result = await validateReply(returns, parseReply(bytes, target.call));
  if (!('faults' in result)) return result.value;
  const details = { faults: result.faults };
  throw new EgressError('egress_response_invalid', target.call, {
    parameters: { what: 'each fault is listed in `details`' },
    details,
  });
}

/**
 * Sends a call and yields the body of a successful answer. Whatever goes wrong until then, the budget is let go of.
 *
 * @throws EgressError with the code of what was refused, by us or by the upstream.
 */
export async function openReply(
  target: EgressTarget,
  args: unknown,
  options: EgressCallOptions,
  budget: CallBudget,
): Promise<ResponseBody> {
  try {
    return await successfulReply(target, args, options, budget);
  } catch (error) {
    budget.end();
    throw error;
  }
}

async function successfulReply(
  target: EgressTarget,
  args: unknown,
  options: EgressCallOptions,
  budget: CallBudget,
): Promise<ResponseBody> {
  if (budget.failure !== undefined) throw budget.failure;
  const { call, operation, placement, settings } = target;
  const checked = await budget.within(validateArguments(operation.args, args));
  if ('faults' in checked)
    throw new EgressError('egress_arguments_invalid', call, { details: { faults: checked.faults } });
  const placed = placement.place(settings.base, settings.headers, checked.value);
  const draft = withIdempotencyKey(placed, settings.idempotencyKeyHeader, options.idempotencyKey);
  const { body, secret } = await send(settings, target.transport(), draft, budget);
  if (body.response.ok) return body;
  throw await upstreamRefusal(body, call, secret);
}

function parseReply(bytes: Uint8Array, call: EgressCallName): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new EgressError('egress_response_invalid', call, { parameters: { what: 'it is not JSON' } });
  }
}
