import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALLOWED, MALFORMED, OUTSIDE, VECTOR_BASE } from '../../../test/egress/support/address-vectors.js';
import { confine } from './confine.js';
import { parseEgressBase, type EgressBase } from './egress-base.js';
import { hasDotSegment, pathReadings } from './segments.js';

const call = { service: 'api', operation: 'read' };

function baseOf(url: string): EgressBase {
  const parsed = parseEgressBase(url);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.base;
}

function shown(address: string): string {
  return JSON.stringify(address.length > 100 ? `${address.slice(0, 100)}...` : address);
}

function codeOf(address: string, base = VECTOR_BASE): string {
  try {
    confine(baseOf(base), address, call);
    return 'allowed';
  } catch (error) {
    return String(Reflect.get(error as object, 'code'));
  }
}

describe('confine', () => {
  it.each(ALLOWED.map((address) => [shown(address), address]))('allows %s', (_, address) => {
    const url = confine(baseOf(VECTOR_BASE), address, call);
    expect(url.origin).toBe('https://api.example.com');
    expect(`${url.pathname}/`.startsWith('/v1/')).toBe(true);
  });

  it.each(OUTSIDE.map((address) => [shown(address), address]))('refuses as outside %s', (_, address) => {
    expect(codeOf(address)).toBe('egress_outside_base_url');
  });

  it.each(MALFORMED.map((address) => [shown(address), address]))('refuses as malformed %s', (_, address) => {
    expect(codeOf(address)).toBe('egress_url_malformed');
  });

  it('never repeats the address', () => {
    for (const address of [...OUTSIDE, ...MALFORMED]) {
      if (address.length < 3) continue;
      expect(() => confine(baseOf(VECTOR_BASE), address, call)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(address) as unknown }),
      );
    }
  });

  it('takes a base without a path, with a port, with an encoded path', () => {
    expect(codeOf('http://127.0.0.1:8080/anything?x=1', 'http://127.0.0.1:8080')).toBe('allowed');
    expect(codeOf('http://127.0.0.1:8081/anything', 'http://127.0.0.1:8080')).toBe('egress_outside_base_url');
    expect(codeOf('http://2130706433:8080/anything', 'http://127.0.0.1:8080')).toBe('egress_url_malformed');
    expect(codeOf('https://h.example/a%20b/c', 'https://h.example/a%20b/')).toBe('allowed');
    expect(codeOf('https://h.example/a%20bc', 'https://h.example/a%20b/')).toBe('egress_outside_base_url');
  });

  it('lets nothing through that some reading leads out of the prefix', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '%2e',
      '%2E',
      '%252e',
      '/',
      '%2f',
      '\\',
      '%5c',
      ';',
      'a',
      'v1',
      '%',
      '@',
      '?',
      '#',
      '\t',
    );
    const tail = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(tail, (text) => {
        const address = `${VECTOR_BASE}${text}`;
        if (codeOf(address) !== 'allowed') return;
        const { origin, pathname } = new URL(address);
        expect(origin).toBe('https://api.example.com');
        expect(pathname === '/v1' || pathname.startsWith('/v1/')).toBe(true);
        expect((pathReadings(pathname) ?? ['..']).some(hasDotSegment)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets through whatever encodeURIComponent makes of ordinary text', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => /^[\p{L}\p{N} -]+$/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        expect(codeOf(`${VECTOR_BASE}/files/${encodeURIComponent(value)}`)).toBe('allowed');
      }),
    );
  });
});
