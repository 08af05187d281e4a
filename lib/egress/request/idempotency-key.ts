import { EgressError } from '../egress-error.js';
import { isHeaderValue } from './header-names.js';
import type { DraftRequest } from './outbound-request.js';

const MAX_LENGTH = 255;

/**
 * The request with the idempotency key of its call, where the service names a header for it. An upstream that knows the key
 * may be told twice.
 *
 * @throws EgressError `egress_arguments_invalid`, without the key.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export function withIdempotencyKey(
  draft: DraftRequest,
  header: string | undefined,
  key: string | undefined,
): DraftRequest {
  if (header === undefined || key === undefined) return draft;
  if (typeof key !== 'string' || key.length > MAX_LENGTH || !isHeaderValue(key)) {
    const details = { faults: [{ property: 'idempotencyKey', constraints: ['isHeaderValue'] }] };
    throw new EgressError('egress_arguments_invalid', draft.call, { details });
  }
  const headers = new Headers(draft.headers);
  headers.set(header, key);
  return { ...draft, headers, isRepeatable: true };
}
