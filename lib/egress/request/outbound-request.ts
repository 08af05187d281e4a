import type { EgressCallName } from '../egress-error.js';
import type { EgressOperation } from '../declaration/egress-operation.js';

/** What a request carries. A stream is read once; everything else can be sent again. */
export type EgressBody = NonNullable<RequestInit['body']>;

/** A request that is put together and not yet confined. */
export interface DraftRequest {
  readonly call: EgressCallName;
  /** Undefined where a vendor's SDK put the request together. */
  readonly operation: EgressOperation | undefined;
  readonly method: string;
  /** The whole address, as a string: it is checked before anything parses it. */
  readonly address: string;
  readonly headers: Headers;
  readonly body: EgressBody | undefined;
  /** The arguments as JSON has them; what an in-process handler is given. */
  readonly wireArguments: unknown;
  /** Whether the upstream may be told twice: by its method, by its declaration, or by an idempotency key. */
  readonly isRepeatable: boolean;
  /** What becomes of a redirect: what the service says, its answer as it is, or a refusal. */
  readonly redirect: 'service' | 'manual' | 'refuse';
}

/** A request that may leave: confined and cleaned. */
export interface OutboundRequest extends Omit<DraftRequest, 'address'> {
  readonly url: URL;
}

/** Whether a body can be sent a second time, after a refused credential, a redirect or a failed attempt. */
export function isReplayable(body: EgressBody | undefined): boolean {
  if (typeof body !== 'object') return true;
  return ArrayBuffer.isView(body) || !(Symbol.asyncIterator in body || body instanceof ReadableStream);
}
