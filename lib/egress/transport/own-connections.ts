import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type { BootFaults } from '../../common/index.js';
import type { EgressServiceSettings } from '../gate/egress-settings.js';
import type { FetchDispatcher } from './network-transport.js';
import { isPublicAddress, publicLookup } from './public-addresses.js';

type Undici = typeof import('undici');

export interface OwnConnections {
  readonly dispatcher: FetchDispatcher;
  /** Closes them all, whatever still goes on. */
  destroy(): Promise<void>;
}

/** Where npm's undici and the platform's keep the dispatcher of the process; whoever is loaded first sets it. */
const PROCESS_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Connections of a service's own, for the platform's `fetch`. Undefined where the service has none, or where they were refused
 * as `egress_options_invalid`.
 */
export function ownConnections(settings: EgressServiceSettings, faults: BootFaults): OwnConnections | undefined {
  const { agent, name } = settings;
  if (agent === undefined) return undefined;
  const refuse = (key: string, what: string): void =>
    faults.add('egress_options_invalid', { key: `services.${name}.${key}`, what });
  const undici = loadUndici();
  if (typeof undici === 'string') return void refuse('agent', undici);
  const lookup = settings.addresses === 'public' ? publicLookup() : undefined;
  if (lookup !== undefined && !isPublicBase(settings)) {
    return void refuse('baseUrl', 'is an address that is not public, and `addresses` demands one that is');
  }
  const made = makeAgent(undici, agent, lookup);
  // The platform's types are of another version of the same thing.
  return { dispatcher: made as unknown as FetchDispatcher, destroy: () => made.destroy() };
}

function makeAgent(
  { Agent }: Undici,
  { connections, keepAliveTimeoutMs, connectTimeoutMs, ca }: NonNullable<EgressServiceSettings['agent']>,
  lookup: LookupFunction | undefined,
): InstanceType<Undici['Agent']> {
  return new Agent({
    ...(connections !== undefined && { connections }),
    ...(keepAliveTimeoutMs !== undefined && { keepAliveTimeout: keepAliveTimeoutMs }),
    // The limits of a call are kept by the call itself.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...(connectTimeoutMs !== undefined && { timeout: connectTimeoutMs }),
      ...(ca !== undefined && { ca: typeof ca === 'string' ? ca : [...ca] }),
      ...(lookup !== undefined && { lookup }),
    },
  });
}

/** An address is connected to without a look-up; the base URL is the only one that a service has. */
function isPublicBase({ base }: EgressServiceSettings): boolean {
  const host = new URL(base.origin).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 || isPublicAddress(host);
}

/**
 * The optional package, or what is wrong with it. Loading it makes its own agent the dispatcher of the process where there is
 * none yet, which would change every other `fetch`: that is taken back.
 */
function loadUndici(): Undici | string {
  const require = createRequire(import.meta.url);
  const before: unknown = Reflect.get(globalThis, PROCESS_DISPATCHER);
  try {
    const { version } = require('undici/package.json') as { version: string };
    if (!version.startsWith('7.')) return `needs the package undici 7, and ${version} is installed`;
    return require('undici') as Undici;
  } catch {
    return 'needs the package undici 7, which is not installed';
  } finally {
    if (Reflect.get(globalThis, PROCESS_DISPATCHER) !== before) Reflect.set(globalThis, PROCESS_DISPATCHER, before);
  }
}
