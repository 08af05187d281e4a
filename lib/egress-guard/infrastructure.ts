import { plainHost, type Destination } from './destination.js';

/** Whether a destination is one of those that the application declares as its own: databases, brokers, caches. */
export type InfrastructureTest = (destination: Destination) => boolean;

/**
 * Reads entries `host:port` and `host` (any port); an address of IPv6 stands in brackets.
 * @throws TypeError naming an entry that is neither
 */
export function infrastructureTest(entries: readonly string[]): InfrastructureTest {
  const known = new Set(entries.map(normalised));
  return ({ host, port }) => known.has(host) || known.has(`${host} ${port}`);
}

function normalised(entry: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:/\s]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) {
    throw new TypeError(
      `The egress guard's \`infrastructure\` has an entry that is neither "host" nor "host:port": "${entry}".`,
    );
  }
  return port === undefined ? plainHost(host) : `${plainHost(host)} ${port}`;
}
