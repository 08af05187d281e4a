import { egressOperation, egressService, type EgressOperation, type EgressService } from '../../../egress/index.js';
import type { StandardSchema } from '../../../egress/index.js';
import { anyObject } from '../request/passed-body.js';

type Body = Readonly<Record<string, unknown>>;

/** `POST /chat/completions` below the base URL, which has the `/v1` that most providers put there. */
export const chatCompletion: EgressOperation<
  'chatCompletion',
  StandardSchema<Body>,
  StandardSchema<object>
> = egressOperation({
  name: 'chatCompletion',
  method: 'POST',
  path: '/chat/completions',
  // A reply costs money and changes nothing: what came to nothing may be asked for again.
  idempotent: true,
  args: anyObject<Body>(),
  returns: anyObject<object>(),
});

/** A service that has `chatCompletion`; an application's own may have other operations beside it. */
export type ChatCompletionsService<Name extends string = string> = EgressService<
  Name,
  readonly [typeof chatCompletion]
>;

/**
 * Declares an OpenAI-compatible provider. `name` is its key in `EgressHttpModule.forRoot({ services })`; its `baseUrl` is the one
 * that the provider tells its users, such as `https://api.openai.com/v1`.
 */
export function chatCompletionsService<const Name extends string = 'chat'>(
  name: Name = 'chat' as Name,
): ChatCompletionsService<Name> {
  return egressService({ name, operations: [chatCompletion] as const });
}
