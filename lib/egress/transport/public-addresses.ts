import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Addresses that are somebody's own: this machine, its networks, and what is set aside.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
// With those that hold an address of IPv4 inside which nobody would look for: 6to4, Teredo, the compatible ones.
const SPECIAL_IPV6 = [
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];
const special = blockList();
const NAT64 = new BlockList();
NAT64.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether an address is one of the public Internet. What holds an address of IPv4 is judged by that one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  if (NAT64.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address));
  // A mapped address (::ffff:a.b.c.d) is checked by Node as the address of IPv4 that it is.
  return !special.check(address, 'ipv6');
}

/** The system code of the error that a look-up ends with where it found an address that is not public. */
export const ADDRESS_REFUSED = 'EGRESS_ADDRESS_REFUSED';

/**
 * A look-up whose answer the connection is made with: every address that the name has is public, or there is no answer. A name
 * that answers otherwise the next time is judged again.
 */
export function publicLookup(lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(Object.assign(new Error('not a public address'), { code: ADDRESS_REFUSED }), '', 0);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function blockList(): BlockList {
  const list = new BlockList();
  for (const [networks, family] of [
    [SPECIAL_IPV4, 'ipv4'],
    [SPECIAL_IPV6, 'ipv6'],
  ] as const) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      list.addSubnet(address, Number(prefix), family);
    }
  }
  return list;
}

function lastFourBytes(address: string): string {
  // The URL parser writes an address of IPv6 in one way: without dots.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
