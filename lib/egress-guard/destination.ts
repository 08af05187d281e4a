import { isIP } from 'node:net';

/** Where a connection goes, as its opener named it. */
export interface Destination {
  /** Lower case, without brackets and final dot. */
  readonly host: string;
  readonly port: number;
}

/** `host:port`, an address of IPv6 in brackets. */
export function destinationLabel({ host, port }: Destination): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Where `Socket.connect(...)` was told to go. Undefined for a socket of the file system and for what Node itself will refuse.
 * @see https://nodejs.org/api/net.html#socketconnect
 */
export function connectDestination(parameters: readonly unknown[]): Destination | undefined {
  // net.connect and tls.connect hand on one list, already put in order.
  const [first, second] = (Array.isArray(parameters[0]) ? parameters[0] : parameters) as readonly unknown[];
  if (typeof first === 'object' && first !== null) {
    if (typeof Reflect.get(first, 'path') === 'string') return undefined;
    return destination(Reflect.get(first, 'host'), Reflect.get(first, 'port'));
  }
  return destination(second, first);
}

/** Where a request of undici goes, by its origin. */
export function originDestination(origin: unknown): Destination | undefined {
  const text = String(origin);
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return destination(url.hostname, url.port || (url.protocol === 'https:' ? 443 : 80));
}

export function isLoopback({ host }: Destination): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

function destination(host: unknown, port: unknown): Destination | undefined {
  const number = Number(port);
  if (!Number.isInteger(number) || number <= 0 || number > 65_535) return undefined;
  return { host: plainHost(typeof host === 'string' && host !== '' ? host : 'localhost'), port: number };
}

export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
