import type { EgressCredentials } from '../egress-credentials.js';
import type { DataEgressAcknowledgement } from '../egress-http.options.js';
import type { EgressBase } from '../request/egress-base.js';

/** The configuration of one service, checked and complete. */
export interface EgressServiceSettings {
  readonly name: string;
  readonly base: EgressBase;
  readonly isSensitive: boolean;
  readonly acknowledged: boolean | DataEgressAcknowledgement;
  readonly credentials: EgressCredentials | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
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
