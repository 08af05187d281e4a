import type { EgressClient } from '../egress-client.js';
import type { EgressFetch } from './egress-fetch.js';

/** What the client of a vendor's SDK is made with. */
export interface EgressSdkOptions {
  readonly baseURL: string;
  /** No secret: SDKs want one, and it is replaced by the credential of the service. */
  readonly apiKey: string;
  readonly fetch: EgressFetch;
  /** Further attempts are the service's own, see its `retries`. */
  readonly maxRetries: 0;
}

const PLACEHOLDER = 'replaced-by-egress-credentials';

/**
 * Options under which a vendor's SDK sends everything through a declared service.
 *
 * @example new OpenAI(sdkOptions(client))
 */
export function sdkOptions(client: EgressClient): EgressSdkOptions {
  return { baseURL: client.baseUrl, apiKey: PLACEHOLDER, fetch: client.fetch, maxRetries: 0 };
}
