import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { confine } from '../../lib/egress/request/confine.js';
import { parseEgressBase, type EgressBase } from '../../lib/egress/request/egress-base.js';

const call = { service: 'api', operation: 'fetch' };
const { base } = parseEgressBase('https://api.example.com/v1') as { base: EgressBase };

/** What addresses that mean to get out are made of. */
const PIECES = [
  'https://api.example.com',
  'https://',
  '//',
  '/',
  '\\',
  '/v1',
  '/v1/',
  '/v12',
  '..',
  '.',
  '%2e',
  '%2E%2e',
  '%252e',
  '%2f',
  '%5c',
  ';',
  '@',
  ':',
  ':443',
  ':80',
  '#',
  '?',
  'evil.example',
  'user:pass@',
  'x',
  'é',
  '\t',
  '\n',
  '\0',
  ' ',
  '%00',
  '%c0%ae',
  'ｅ',
];
const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''));
const address = fc.oneof(
  hostile,
  hostile.map((rest) => `https://api.example.com/v1${rest}`),
  fc.string({ unit: 'binary' }).map((rest) => `https://api.example.com/v1/${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);

/** As a lenient server may read a segment: decoded until nothing changes, without parameters after `;`. */
function readLeniently(segment: string): string {
  let text = segment;
  for (let turn = 0; turn < 4; turn++) {
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (decoded === text) break;
    text = decoded;
  }
  return text.replace(/;[^/\\]*/g, '');
}

/** A step in the path, or a control character; bytes of other characters are neither. */
const READ_AS_MORE = /^\.{1,2}$|[\x00-\x1f\x7f]/;

function accepted(text: string): URL | undefined {
  try {
    return confine(base, text, call);
  } catch (error) {
    expect((error as { code: string }).code).toMatch(/^egress_(outside_base_url|url_malformed)$/);
    return undefined;
  }
}

describe('confinement, whatever the address', () => {
  it('lets nothing out of its origin and its path, in any reading', () => {
    fc.assert(
      fc.property(address, (text) => {
        const url = accepted(text);
        if (url === undefined) return;
        expect(new URL(text).href).toBe(url.href);
        expect({ origin: url.origin, username: url.username, hash: url.hash }).toEqual({
          origin: 'https://api.example.com',
          username: '',
          hash: '',
        });
        expect(`${url.pathname}/`.startsWith('/v1/')).toBe(true);
        const segments = url.pathname.split('/').flatMap((segment) => readLeniently(segment).split(/[/\\]/));
        expect(segments.filter((segment) => READ_AS_MORE.test(segment))).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('lets every address pass that is made of encoded names below its path', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => {
      return text.isWellFormed() && !/^\.{1,2}$|[/\\;%]|\p{Cc}/u.test(text) && text.trim() === text;
    });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.option(name), (names, value) => {
        const query = value === null ? '' : `?q=${encodeURIComponent(value)}`;
        const text = `https://api.example.com/v1/${names.map(encodeURIComponent).join('/')}${query}`;
        expect(accepted(text)?.href).toBe(new URL(text).href);
      }),
      { numRuns: 2_000 },
    );
  });
});
