import { describe, expect, it } from '@jest/globals';
import { confine } from '../../lib/egress/request/confine.js';
import { parseEgressBase, type EgressBase } from '../../lib/egress/request/egress-base.js';

/**
 * A list of forbidden hosts misses other spellings of them. Here a list of allowed ones decides, and a host that is not
 * declared is refused however it is spelled.
 * @see https://github.com/felippe-regazio/ssrfcheck/pull/11
 */
const SPELLINGS = [
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '127.0.0.1',
  '[::ffff:127.0.0.1]',
  '[::1]',
  '[::]',
  '[64:ff9b::7f00:1]',
  '169.254.169.254',
  '169.254.169.254.',
  'localhost',
  'localhost.',
  'user@127.0.0.1',
];

describe('private addresses in other spellings', () => {
  const call = { service: 'api', operation: 'fetch' };
  const baseOf = (url: string): EgressBase => (parseEgressBase(url) as { base: EgressBase }).base;

  it.each(SPELLINGS)('%s is not declared, and is refused', (host) => {
    for (const path of ['/v1/x', '/', '']) {
      expect(() => confine(baseOf('https://api.example.com/v1'), `https://${host}${path}`, call)).toThrow(
        /^\[egress_outside_base_url\]/,
      );
    }
  });

  it('a declared loopback host is reached by its own spelling and by no other', () => {
    const base = baseOf('http://127.0.0.1:8080');
    expect(confine(base, 'http://127.0.0.1:8080/x', call).host).toBe('127.0.0.1:8080');
    for (const host of ['2130706433', '0177.0.0.1', '0x7f.1', '127.1', 'localhost', '[::ffff:127.0.0.1]', '[::1]']) {
      expect(() => confine(base, `http://${host}:8080/x`, call)).toThrow(
        /egress_outside_base_url|egress_url_malformed/,
      );
    }
  });

  it.each(['2130706433', '0177.0.0.1', '0x7f.1', '127.1'])('%s cannot be configured as a base URL', (host) => {
    expect(parseEgressBase(`http://${host}`)).toEqual({
      fault: expect.stringContaining('"http://127.0.0.1"') as unknown,
    });
  });
});
