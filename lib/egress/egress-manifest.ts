import { deepFreeze } from '../common/index.js';
import type { EgressService } from './declaration/egress-service.js';
import type { DataEgressAcknowledgement } from './egress-http.options.js';
import type { EgressServiceSettings } from './gate/egress-settings.js';

/** One service as a reviewer reads it. */
export interface EgressManifestService {
  readonly name: string;
  readonly origin: string;
  /** Path prefix, `/` for none. */
  readonly basePath: string;
  readonly sensitive: boolean;
  /** False, true, or by whom, why and when. */
  readonly acknowledged: boolean | DataEgressAcknowledgement;
  /** Empty where the service is configured and no module declares it. */
  readonly operations: readonly EgressManifestOperation[];
}

export interface EgressManifestOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** One line of a network policy. */
export interface EgressDestination {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'TCP';
  /** Names of services, and `infrastructure`. */
  readonly for: readonly string[];
}

/** What a network policy has to let out: plain JSON, in the order of hosts. */
export interface EgressPolicy {
  readonly egress: readonly EgressDestination[];
}

/** What may leave this application, where to, and who accepted it: plain JSON, in the order of names. No secrets. */
export class EgressManifest {
  readonly services: readonly EgressManifestService[];

  constructor(settings: Iterable<EgressServiceSettings>, declared: ReadonlyMap<string, EgressService>) {
    const services = [...settings].map((each) => manifestService(each, declared.get(each.name)));
    this.services = deepFreeze(services.sort(byName));
  }

  /**
   * Every host and port that this application may connect to, for the network policy that confines it: those of the services,
   * and of the infrastructure that is listed here (`db.internal:5432`).
   * @throws TypeError for an entry that is not `host:port`
   */
  exportPolicy(infrastructure: readonly string[] = []): EgressPolicy {
    const services = this.services.map(({ name, origin }) => ({ ...hostAndPort(origin), for: name }));
    const own = infrastructure.map((entry) => ({ ...infrastructureAddress(entry), for: 'infrastructure' }));
    const destinations = new Map<string, { host: string; port: number; for: string[] }>();
    for (const { host, port, for: user } of [...services, ...own]) {
      const known = destinations.get(`${host} ${port}`) ?? { host, port, for: [] };
      destinations.set(`${host} ${port}`, { ...known, for: [...known.for, user] });
    }
    const egress = [...destinations.values()].map((each) => ({ ...each, protocol: 'TCP' as const }));
    return deepFreeze({ egress: egress.sort(byAddress) });
  }

  toJSON(): { readonly services: readonly EgressManifestService[] } {
    return { services: this.services };
  }
}

function hostAndPort(origin: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(origin);
  return { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

function infrastructureAddress(entry: string): { host: string; port: number } {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:/\s]+):(\d{1,5})$/i.exec(entry) ?? [];
  if (host === undefined) throw new TypeError(`exportPolicy: "${entry}" is not "host:port".`);
  return { host: host.toLowerCase(), port: Number(port) };
}

function byAddress(first: EgressDestination, second: EgressDestination): number {
  return first.host === second.host ? first.port - second.port : first.host < second.host ? -1 : 1;
}

function manifestService(settings: EgressServiceSettings, service: EgressService | undefined): EgressManifestService {
  const operations = (service?.operations ?? []).map(({ name, method, path }) => ({ name, method, path }));
  return {
    name: settings.name,
    origin: settings.base.origin,
    basePath: settings.base.path || '/',
    sensitive: settings.isSensitive,
    acknowledged: settings.acknowledged,
    operations: operations.sort(byName),
  };
}

function byName(first: { readonly name: string }, second: { readonly name: string }): number {
  return first.name < second.name ? -1 : 1;
}
