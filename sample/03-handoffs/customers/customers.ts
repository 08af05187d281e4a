import type { Principal } from 'nestjs-palette';

/** Two people who order things. */
export const CUSTOMERS = ['ann', 'bob'] as const;

export type Customer = (typeof CUSTOMERS)[number];

/** A request after `CustomerGuard`. */
export interface CustomerRequest {
  readonly headers: { readonly authorization?: string };
  customer?: Customer;
}

export function principalOf(customer: Customer): Principal {
  return { subject: customer };
}
