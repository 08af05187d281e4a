import type { EgressCallOptions } from './call/egress-call-options.js';
import type { EgressArguments, EgressReplyOf } from './declaration/egress-operation.js';
import type { EgressOperationOf, EgressService } from './declaration/egress-service.js';
import type { EgressFetch } from './sdk/egress-fetch.js';
import type { EgressStream } from './stream/egress-stream.js';

/**
 * The client of one declared service: nothing but its operations can be called, and nothing leaves its base URL.
 * Inject it with `@InjectEgress(service)`.
 */
export abstract class EgressClient<Service extends EgressService = EgressService> {
  /** The service's `baseUrl`, without a slash at its end. */
  abstract readonly baseUrl: string;

  /**
   * The platform's `fetch`, for the SDKs of vendors: the same function for as long as the client lives. Whatever it is asked
   * for stays below the base URL, carries our credential and no other, and is limited in time and size.
   *
   * A refusal that trying again does not change is an answer of status 400 with `{ error: { code, message } }` and the
   * header `x-egress-error`, since SDKs try again after what is thrown. Network failures and time-outs are thrown, and a
   * body that is not complete ends with an `EgressError`.
   *
   * @throws EgressError `egress_unavailable`, `egress_timeout`, `egress_credentials_invalid` where they may pass;
   * in the body `egress_stream_interrupted`, `egress_timeout`, `egress_response_too_large`. The caller's own reason, where its
   * signal aborted.
   */
  abstract readonly fetch: EgressFetch;

  /**
   * Sends one request and yields its reply, checked against `returns`.
   *
   * @throws EgressError `egress_arguments_invalid`, `egress_path_parameter_invalid`, `egress_rejected` (what the caller of the
   * operation can act on); `egress_credentials_rejected`, `egress_throttled`, `egress_unavailable`, `egress_timeout`,
   * `egress_redirect_refused`, `egress_response_invalid`, `egress_response_too_large`, `egress_stream_interrupted`
   * (infrastructure); `deadline_exceeded`, `egress_cancelled`.
   */
  abstract invoke<Operation extends EgressOperationOf<Service>>(
    operation: Operation,
    args: EgressArguments<Operation>,
    options?: EgressCallOptions,
  ): Promise<EgressReplyOf<Operation>>;
  /** As above, by the operation's name, for callers that only have that. */
  abstract invoke(operation: string, args: unknown, options?: EgressCallOptions): Promise<unknown>;

  /**
   * Sends what `invoke` would send and yields the body as it arrives. A refusal is thrown by the first `next()`.
   *
   * @throws EgressError the codes of `invoke`; in the middle of the body `egress_stream_interrupted`, `egress_timeout`,
   * `egress_response_too_large`, `deadline_exceeded`.
   */
  abstract stream<Operation extends EgressOperationOf<Service>>(
    operation: Operation,
    args: EgressArguments<Operation>,
    options?: EgressCallOptions,
  ): EgressStream;
  /** As above, by the operation's name. */
  abstract stream(operation: string, args: unknown, options?: EgressCallOptions): EgressStream;
}
