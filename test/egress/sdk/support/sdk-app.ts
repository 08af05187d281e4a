import {
  bearer,
  egressService,
  type EgressClient,
  type EgressFetch,
  type EgressServiceOptions,
} from '../../../../lib/egress/index.js';
import { egressApp } from '../../support/egress-app.js';

export const SECRET = 'sk-of-the-service';
const vendor = egressService({ name: 'vendor', operations: [] });

/** Runs with the client of a service that a vendor's SDK sends through. */
export async function withSdkClient<T>(
  baseUrl: string,
  options: Partial<EgressServiceOptions>,
  use: (client: EgressClient<typeof vendor>) => Promise<T>,
): Promise<T> {
  const { app, client } = await egressApp(vendor, { baseUrl, credentials: bearer(() => SECRET), ...options });
  return use(client).finally(() => app.close());
}

/** The same fetch, and how often it was called. */
export function counted(fetch: EgressFetch): { readonly fetch: EgressFetch; calls: number } {
  const counter = {
    calls: 0,
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      counter.calls++;
      return fetch(input, init);
    },
  };
  return counter;
}
