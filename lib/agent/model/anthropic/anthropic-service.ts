import { egressOperation, egressService, type EgressOperation, type EgressService } from '../../../egress/index.js';
import type { StandardSchema } from '../../../egress/index.js';
import { anyObject } from '../request/passed-body.js';

/** The version of the API that the model class speaks; it goes into a header. */
export interface AnthropicBody {
  readonly [field: string]: unknown;
  readonly anthropicVersion: string;
}

/** `POST /v1/messages` below the base URL, which is `https://api.anthropic.com` for Anthropic's own. */
export const anthropicMessage: EgressOperation<
  'anthropicMessage',
  StandardSchema<AnthropicBody>,
  StandardSchema<object>
> = egressOperation({
  name: 'anthropicMessage',
  method: 'POST',
  path: '/v1/messages',
  // A reply costs money and changes nothing: what came to nothing may be asked for again.
  idempotent: true,
  args: anyObject<AnthropicBody>(),
  returns: anyObject<object>(),
  headers: { 'anthropic-version': 'anthropicVersion' },
});

/** A service that has `anthropicMessage`. */
export type AnthropicService<Name extends string = string> = EgressService<Name, readonly [typeof anthropicMessage]>;

/** Declares an endpoint of Anthropic's messages. `name` is its key in `EgressHttpModule.forRoot({ services })`. */
export function anthropicService<const Name extends string = 'anthropic'>(
  name: Name = 'anthropic' as Name,
): AnthropicService<Name> {
  return egressService({ name, operations: [anthropicMessage] as const });
}
