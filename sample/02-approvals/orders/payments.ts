export interface Payment {
  readonly order: string;
  readonly amount: number;
}

/**
 * The bank: outside the application, so that it outlives its restarts. It takes each key once, as payment services do;
 * `requests` counts how often it was asked.
 */
export class Payments {
  readonly #paid = new Map<string, Payment>();
  requests = 0;

  payBack(key: string, payment: Payment): void {
    this.requests += 1;
    if (!this.#paid.has(key)) this.#paid.set(key, payment);
  }

  get paid(): readonly Payment[] {
    return [...this.#paid.values()];
  }
}
