import { ownValue, type BootFaults } from '../../common/index.js';
import { kindOf } from './acknowledgement.js';
import type { EgressRetrySettings, EgressWireSettings } from './egress-settings.js';
import { readChoice, readHeaderName, readNumber, readOptionalNumber, reportUnknownKeys } from './read-values.js';

type Raw = Record<string, unknown>;

export const WIRE_KEYS = [
  'timeoutMs',
  'headersTimeoutMs',
  'idleTimeoutMs',
  'maxResponseBytes',
  'redirects',
  'retries',
  'deadlineHeader',
  'idempotencyKeyHeader',
] as const;

/** Reads what a service says about the wire. */
export function readWire(raw: Raw, at: string, faults: BootFaults): EgressWireSettings {
  return {
    timeoutMs: readNumber(raw, 'timeoutMs', at, 30_000, faults),
    headersTimeoutMs: readOptionalNumber(raw, 'headersTimeoutMs', at, faults),
    idleTimeoutMs: readNumber(raw, 'idleTimeoutMs', at, 30_000, faults),
    maxResponseBytes: readNumber(raw, 'maxResponseBytes', at, 5_000_000, faults),
    redirects: readChoice(raw, 'redirects', at, ['refuse', 'within-base'], faults),
    retries: readRetries(ownValue(raw, 'retries'), at, faults),
    deadlineHeader: readHeaderName(raw, 'deadlineHeader', at, faults),
    idempotencyKeyHeader: readHeaderName(raw, 'idempotencyKeyHeader', at, faults),
  };
}

function readRetries(value: unknown, at: string, faults: BootFaults): EgressRetrySettings {
  const raw = recordOf(value ?? {}, `${at}retries`, faults);
  const below = `${at}retries.`;
  reportUnknownKeys(raw, ['max', 'delayMs', 'maxDelayMs'], below, faults);
  return {
    max: ownValue(raw, 'max') === 0 ? 0 : readNumber(raw, 'max', below, 0, faults),
    delayMs: readNumber(raw, 'delayMs', below, 500, faults),
    maxDelayMs: readNumber(raw, 'maxDelayMs', below, 30_000, faults),
  };
}

function recordOf(value: unknown, key: string, faults: BootFaults): Raw {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Raw;
  faults.add('egress_options_invalid', { key, what: `is ${kindOf(value)}, not an object` });
  return {};
}
