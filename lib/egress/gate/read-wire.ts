import { ownValue, type BootFaults } from '../../common/index.js';
import type { EgressAgentOptions } from '../egress-http.options.js';
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
  'agent',
  'addresses',
] as const;

/** Reads what a service says about the wire. */
export function readWire(raw: Raw, at: string, faults: BootFaults): EgressWireSettings {
  const wire = {
    timeoutMs: readNumber(raw, 'timeoutMs', at, 30_000, faults),
    headersTimeoutMs: readOptionalNumber(raw, 'headersTimeoutMs', at, faults),
    idleTimeoutMs: readNumber(raw, 'idleTimeoutMs', at, 30_000, faults),
    maxResponseBytes: readNumber(raw, 'maxResponseBytes', at, 5_000_000, faults),
    redirects: readChoice(raw, 'redirects', at, ['refuse', 'within-base'], faults),
    retries: readRetries(ownValue(raw, 'retries'), at, faults),
    deadlineHeader: readHeaderName(raw, 'deadlineHeader', at, faults),
    idempotencyKeyHeader: readHeaderName(raw, 'idempotencyKeyHeader', at, faults),
    agent: readAgent(ownValue(raw, 'agent'), at, faults),
    addresses: readChoice(raw, 'addresses', at, ['any', 'public'], faults),
  };
  if (wire.addresses === 'public' && wire.agent === undefined) {
    const what = "is 'public' and needs `agent`: the platform's own connections cannot be looked at";
    faults.add('egress_options_invalid', { key: `${at}addresses`, what });
  }
  return wire;
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

function readAgent(value: unknown, at: string, faults: BootFaults): EgressAgentOptions | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return {};
  const raw = recordOf(value, `${at}agent`, faults);
  const below = `${at}agent.`;
  reportUnknownKeys(raw, ['connections', 'keepAliveTimeoutMs', 'connectTimeoutMs', 'ca'], below, faults);
  const numbers = ['connections', 'keepAliveTimeoutMs', 'connectTimeoutMs'].map(
    (key) => [key, readOptionalNumber(raw, key, below, faults)] as const,
  );
  const ca = readCertificates(ownValue(raw, 'ca'), below, faults);
  return Object.freeze(Object.fromEntries([...numbers, ['ca', ca]].filter(([, each]) => each !== undefined)));
}

function readCertificates(value: unknown, at: string, faults: BootFaults): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (
    list.length > 0 &&
    list.every((each) => typeof each === 'string' && each.includes('-----BEGIN CERTIFICATE-----'))
  ) {
    return list as readonly string[];
  }
  faults.add('egress_options_invalid', { key: `${at}ca`, what: 'is no certificate in PEM, nor a list of some' });
  return undefined;
}

function recordOf(value: unknown, key: string, faults: BootFaults): Raw {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Raw;
  faults.add('egress_options_invalid', { key, what: `is ${kindOf(value)}, not an object` });
  return {};
}
