import type { EgressCredentials } from '../egress-credentials.js';
import type { DataEgressAcknowledgement, EgressAgentOptions } from '../egress-http.options.js';
import type { EgressBase } from '../request/egress-base.js';

/** Pauses in milliseconds. */
export interface EgressRetrySettings {
  readonly max: number;
  readonly delayMs: number;
  readonly maxDelayMs: number;
}

/** What of a service's configuration is about the wire, checked and complete. */
export interface EgressWireSettings {
  readonly timeoutMs: number;
  readonly headersTimeoutMs: number | undefined;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly redirects: 'refuse' | 'within-base';
  readonly retries: EgressRetrySettings;
  readonly deadlineHeader: string | undefined;
  readonly idempotencyKeyHeader: string | undefined;
  /** Undefined for the platform's own connections. */
  readonly agent: EgressAgentOptions | undefined;
  readonly addresses: 'any' | 'public';
}

/** The configuration of one service, checked and complete. */
export interface EgressServiceSettings extends EgressWireSettings {
  readonly name: string;
  readonly base: EgressBase;
  readonly isSensitive: boolean;
  readonly acknowledged: boolean | DataEgressAcknowledgement;
  readonly credentials: EgressCredentials | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isHandlersOnly: boolean;
}

/** The configuration of the module, checked and complete. */
export interface EgressSettings {
  readonly isProduction: boolean;
  readonly allowHandlers: boolean;
  readonly services: ReadonlyMap<string, EgressServiceSettings>;
  /** Every configured name, also of services whose settings were refused. */
  readonly configured: ReadonlySet<string>;
  /** What was accepted and should be known; logged at boot. */
  readonly warnings: readonly string[];
}
