import type { EgressCredentials } from './egress-credentials.js';

/** Who accepted that a sensitive service may send, and why; kept in the manifest. */
export interface DataEgressAcknowledgement {
  /** Who accepted it: a person or a role. */
  readonly by: string;
  readonly reason: string;
  /** Day it was accepted, `YYYY-MM-DD` or a date and time in ISO 8601. */
  readonly on: string;
  /** Last day it holds, in the same form. Default: it does not expire. Checked at boot. */
  readonly expires?: string;
}

/** When a failed attempt is followed by another. */
export interface EgressRetryOptions {
  /** How many attempts may follow the first one. Default 0. */
  readonly max?: number;
  /** Before the second attempt, in milliseconds; doubled for each further one, and up to half of it left out by chance. Default 500. */
  readonly delayMs?: number;
  /** Longest pause, in milliseconds. An upstream that asks for a longer one is not waited for. Default 30_000. */
  readonly maxDelayMs?: number;
}

/** Connections of a service's own, in place of the platform's. */
export interface EgressAgentOptions {
  /** Most connections to the upstream at once. Default: as many as there are requests. */
  readonly connections?: number;
  /** How long an unused connection is kept, in milliseconds. Default 4_000. */
  readonly keepAliveTimeoutMs?: number;
  /** Until a connection stands, in milliseconds. Default 10_000. */
  readonly connectTimeoutMs?: number;
  /** Certificates that sign the upstream's, in PEM, in place of the system's. */
  readonly ca?: string | readonly string[];
}

/** Where one declared service is and what it may carry. */
export interface EgressServiceOptions {
  /** `https://host`, with a path prefix if the API has one. Nothing can be sent outside it. */
  readonly baseUrl: string;
  /** A fact about the data this route carries. Anything but `false` or leaving it out counts as sensitive. Default false. */
  readonly egressSensitive?: boolean;
  /** An operator accepting that sensitive data leaves: `true`, or by whom and why. Needed where the route is sensitive. */
  readonly acknowledgeDataEgress?: boolean | DataEgressAcknowledgement;
  /** `bearer(() => secret)` or `headerCredential('x-api-key', () => secret)`. Default: none is sent. */
  readonly credentials?: EgressCredentials;
  /** Constant headers, such as an API version. Not for credentials. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For a whole call, its last byte included, in milliseconds. Default 30_000. */
  readonly timeoutMs?: number;
  /** Until the head of an answer, for each attempt, in milliseconds. Default: as long as the whole call. */
  readonly headersTimeoutMs?: number;
  /** Between two chunks of a reply, in milliseconds. Default 30_000. */
  readonly idleTimeoutMs?: number;
  /** Largest reply, decoded, in bytes. Default 5_000_000. */
  readonly maxResponseBytes?: number;
  /**
   * `within-base` follows redirects that stay at the origin and below the path of `baseUrl`, five at most. Default `refuse`:
   * a redirect is `egress_redirect_refused`.
   */
  readonly redirects?: 'refuse' | 'within-base';
  /** Further attempts at what may be told twice: idempotent operations, and what never left. Default: none. */
  readonly retries?: EgressRetryOptions;
  /** A header that tells the upstream, at each attempt, how many milliseconds it has. Default: none. */
  readonly deadlineHeader?: string;
  /** The header that carries the `idempotencyKey` of a call, such as `idempotency-key`. Default: it is not sent. */
  readonly idempotencyKeyHeader?: string;
  /** `true`, or how: connections of its own through the optional package undici 7. Default: the platform's. */
  readonly agent?: boolean | EgressAgentOptions;
  /**
   * `public` refuses every connection to an address that is not a public one, whatever name led there. Needs `agent`.
   * Default `any`.
   */
  readonly addresses?: 'any' | 'public';
  /** The service has no network: a call that no handler answers is `egress_handler_missing`. Default false. */
  readonly handlersOnly?: boolean;
}

export interface EgressHttpModuleOptions {
  /** By the name of the service's declaration. */
  readonly services: Readonly<Record<string, EgressServiceOptions>>;
  /** Turns warnings about clear text into refusals and handlers off. Default: whether NODE_ENV is `production`. */
  readonly production?: boolean;
  /** Lets in-process handlers answer in production. Default false. */
  readonly allowHandlers?: boolean;
}
