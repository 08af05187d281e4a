import type { EgressCallName } from '../egress-error.js';
import type { EgressOperation } from '../declaration/egress-operation.js';

/** A request that is put together and not yet confined. */
export interface DraftRequest {
  readonly call: EgressCallName;
  readonly operation: EgressOperation;
  readonly method: string;
  /** The whole address, as a string: it is checked before anything parses it. */
  readonly address: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The arguments as JSON has them; what an in-process handler is given. */
  readonly wireArguments: unknown;
}

/** A request that may leave: confined, cleaned, with our credential. */
export interface OutboundRequest extends Omit<DraftRequest, 'address'> {
  readonly url: URL;
}
