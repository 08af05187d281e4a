import { PaletteError, type ErrorCode, type PaletteErrorOptions } from '../common/index.js';

/** Which declared call an error, a stream or a request belongs to. */
export interface EgressCallName {
  readonly service: string;
  readonly operation: string;
}

/** The codes that a call can fail with. */
export type EgressErrorCode = Extract<ErrorCode, `egress_${string}`> | 'deadline_exceeded';

export interface EgressErrorOptions extends PaletteErrorOptions {
  /** HTTP status of the upstream, where it answered. */
  readonly upstreamStatus?: number | undefined;
}

/**
 * What `invoke`, `stream` and the handlers fail with. `retryable` says whether the same call may succeed later, unchanged.
 * `details.upstream` holds text of the upstream: treat it as untrusted.
 */
export class EgressError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:EgressError');

  readonly service: string;
  readonly operation: string;
  readonly upstreamStatus: number | undefined;

  constructor(code: EgressErrorCode, call: EgressCallName, options: EgressErrorOptions = {}) {
    const names = { service: call.service, operation: callLabel(call) };
    super(code, { ...options, parameters: { ...names, ...options.parameters } });
    this.service = call.service;
    this.operation = call.operation;
    this.upstreamStatus = options.upstreamStatus;
  }
}

/** `service.operation`, as messages name a call. */
export function callLabel(call: EgressCallName): string {
  return `${call.service}.${call.operation}`;
}
