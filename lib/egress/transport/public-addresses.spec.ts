import type { LookupAddress, lookup } from 'node:dns';
import { describe, expect, it } from '@jest/globals';
import { ADDRESS_REFUSED, isPublicAddress, publicLookup } from './public-addresses.js';

const OWN = [
  '127.0.0.1',
  '127.255.255.255',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
  '',
];
const PUBLIC = [
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '93.184.216.34',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
  '2a00:1450:4001:81b::200e',
];

describe('an address', () => {
  it.each(OWN)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('a look-up for public addresses', () => {
  /** A resolver that answers in turn. */
  function resolver(...answers: readonly (readonly string[])[]): typeof lookup {
    let turn = 0;
    const answer = (_name: string, _options: object, callback: (error: null, all: LookupAddress[]) => void): void => {
      const addresses = answers[turn++] ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return answer as unknown as typeof lookup;
  }

  function ask(look: ReturnType<typeof publicLookup>, all: boolean): Promise<unknown> {
    return new Promise((resolve) => {
      look('name.example', { all }, (error, address, family) =>
        resolve(error === null ? { address, family } : { code: error.code }),
      );
    });
  }

  it('answers with the addresses that it judged, one or all', async () => {
    const look = publicLookup(resolver(['1.1.1.1', '2606:4700::1111'], ['1.1.1.1', '2606:4700::1111']));
    expect(await ask(look, false)).toEqual({ address: '1.1.1.1', family: 4 });
    expect(await ask(look, true)).toEqual({
      address: [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      family: undefined,
    });
  });

  it.each([
    ['its one address is not public', ['127.0.0.1']],
    ['one of its addresses is not public', ['1.1.1.1', '10.0.0.1']],
    ['one of its addresses of IPv6 is not public', ['1.1.1.1', '::ffff:10.0.0.1']],
    ['it has none', []],
  ])('refuses a name where %s', async (_what, addresses) => {
    expect(await ask(publicLookup(resolver(addresses)), true)).toEqual({ code: ADDRESS_REFUSED });
  });

  it('judges a name each time it is asked', async () => {
    const look = publicLookup(resolver(['1.1.1.1'], ['127.0.0.1'], ['1.1.1.1']));
    expect([await ask(look, false), await ask(look, false), await ask(look, false)]).toEqual([
      { address: '1.1.1.1', family: 4 },
      { code: ADDRESS_REFUSED },
      { address: '1.1.1.1', family: 4 },
    ]);
  });
});
