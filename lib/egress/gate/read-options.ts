import { errorMessage, ownValue, type BootFaults } from '../../common/index.js';
import { parseEgressBase, type EgressBase } from '../request/egress-base.js';
import { kindOf, readAcknowledgement, type AcknowledgementState } from './acknowledgement.js';
import type { EgressServiceSettings, EgressSettings } from './egress-settings.js';
import { readBoolean, readCredentials, readHeaders, reportUnknownKeys } from './read-values.js';
import { readWire, WIRE_KEYS } from './read-wire.js';

const SERVICE_KEYS = [
  'baseUrl',
  'egressSensitive',
  'acknowledgeDataEgress',
  'credentials',
  'headers',
  ...WIRE_KEYS,
  'handlersOnly',
];

/** Reads the module's options, which may come from anywhere, and reports everything that is wrong with them. */
export function readOptions(options: unknown, faults: BootFaults, now = Date.now()): EgressSettings {
  const root = isRecord(options) ? options : {};
  reportUnknownKeys(root, ['services', 'production', 'allowHandlers'], '', faults);
  const isProduction = readBoolean(root, 'production', '', process.env['NODE_ENV'] === 'production', faults);
  const services = readServices(ownValue(root, 'services'), faults);
  const gate = new Gate(now);
  const read = services.map(([name, raw]) => readService(name, raw, gate, faults));
  gate.report(faults);
  const accepted = read.filter((service) => service !== undefined);
  return {
    isProduction,
    allowHandlers: readBoolean(root, 'allowHandlers', '', false, faults),
    services: new Map(accepted.map((service) => [service.name, service])),
    configured: new Set(services.map(([name]) => name)),
    warnings: cleartextWarnings(accepted, isProduction, faults),
  };
}

function readServices(services: unknown, faults: BootFaults): [string, Record<string, unknown>][] {
  if (!isRecord(services)) {
    faults.add('egress_options_invalid', {
      key: 'services',
      what: `is ${kindOf(services)}, not an object of services`,
    });
    return [];
  }
  return Object.entries(services).flatMap(([name, raw]): [string, Record<string, unknown>][] => {
    if (isRecord(raw)) return [[name, raw]];
    faults.add('egress_options_invalid', { key: `services.${name}`, what: `is ${kindOf(raw)}, not an object` });
    return [];
  });
}

/** Options may be an instance of a configuration class, so their prototype says nothing. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readService(
  name: string,
  raw: Record<string, unknown>,
  gate: Gate,
  faults: BootFaults,
): EgressServiceSettings | undefined {
  const at = `services.${name}.`;
  reportUnknownKeys(raw, SERVICE_KEYS, at, faults);
  const base = readBase(name, ownValue(raw, 'baseUrl'), faults);
  const admitted = gate.admit(name, raw, base, faults);
  const settings = {
    name,
    ...admitted,
    credentials: readCredentials(raw, at, faults),
    headers: readHeaders(raw, at, faults),
    ...readWire(raw, at, faults),
    isHandlersOnly: readBoolean(raw, 'handlersOnly', at, false, faults),
  };
  return base === undefined ? undefined : Object.freeze({ ...settings, base });
}

function readBase(name: string, baseUrl: unknown, faults: BootFaults): EgressBase | undefined {
  const parsed = parseEgressBase(baseUrl);
  if ('base' in parsed) return parsed.base;
  faults.add('egress_base_url_invalid', { service: name, what: parsed.fault });
  return undefined;
}

/** Holds back every sensitive service that nobody acknowledged, and names them in one fault. */
class Gate {
  readonly #refused: string[] = [];

  constructor(private readonly now: number) {}

  admit(
    name: string,
    raw: Record<string, unknown>,
    base: EgressBase | undefined,
    faults: BootFaults,
  ): Pick<EgressServiceSettings, 'isSensitive' | 'acknowledged'> {
    // A key that is present and undefined is a setting that was not found: it is not the same as saying nothing.
    const sensitive: unknown = Object.hasOwn(raw, 'egressSensitive') ? raw['egressSensitive'] : false;
    const isSensitive = sensitive !== false;
    const key = `services.${name}.acknowledgeDataEgress`;
    const state = readAcknowledgement(ownValue(raw, 'acknowledgeDataEgress'), this.now);
    if (isSensitive && state.accepted === false) this.#refused.push(refusal(name, key, sensitive, base, state));
    else if (!isSensitive && !state.accepted && state.problem !== undefined) {
      faults.add('egress_options_invalid', { key, what: state.problem });
    }
    return { isSensitive, acknowledged: state.accepted };
  }

  report(faults: BootFaults): void {
    if (this.#refused.length > 0) faults.add('http_egress_unacknowledged', { services: this.#refused.join('; ') });
  }
}

function refusal(
  name: string,
  key: string,
  sensitive: unknown,
  base: EgressBase | undefined,
  state: AcknowledgementState,
): string {
  const destination = base === undefined ? '' : ` to ${base.origin}`;
  const why = sensitive === true ? '' : ` (\`egressSensitive\` is ${kindOf(sensitive)}, which counts as sensitive)`;
  const problem = 'problem' in state ? `\`${key}\` ${state.problem}` : `set \`${key}\``;
  return `"${name}"${destination}${why}: ${problem}`;
}

function cleartextWarnings(
  services: readonly EgressServiceSettings[],
  isProduction: boolean,
  faults: BootFaults,
): string[] {
  return services.flatMap(({ name, base, isSensitive, credentials, isHandlersOnly }) => {
    if (base.isHttps || base.isLoopback || isHandlersOnly || (!isSensitive && credentials === undefined)) return [];
    const what = isSensitive ? 'sensitive data' : 'a credential';
    const parameters = { service: name, what, origin: base.origin };
    if (isProduction) faults.add('egress_cleartext', parameters);
    return isProduction ? [] : [`[egress_cleartext] ${errorMessage('egress_cleartext', parameters)}`];
  });
}
