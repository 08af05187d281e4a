import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileLike, foldAscii, isLikePattern } from './like-pattern.js';

/** The same language, said as a regular expression. */
function reference(pattern: string): RegExp {
  const source = pattern.replace(/\\[\s\S]|[\s\S]/gu, (part) => {
    if (part === '%') return '[\\s\\S]*';
    if (part === '_') return '[\\s\\S]';
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return literal.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u');
}

describe('compileLike', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'xabc', false],
    ['a%', 'abc', true],
    ['%c', 'abc', true],
    ['%b%', 'abc', true],
    ['a%a', 'a', false],
    ['a%a', 'aa', true],
    ['%ab%ab', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['%', '', true],
    ['_', '😀', true],
    ['__', '😀', false],
    ['%_', '', false],
    ['a\\%', 'a%', true],
    ['a\\%', 'ab', false],
    ['a\\_c', 'abc', false],
    ['\\\\', '\\', true],
    ["%' OR 1=1 --", "x' OR 1=1 --", true],
    ['ABC', 'abc', false],
  ])('%s against %s: %s', (pattern, text, expected) => {
    expect(compileLike(pattern)(text)).toBe(expected);
  });

  it('agrees with a regular expression on everything', () => {
    const letters = fc.constantFrom('a', 'b', '%', '_', '\\', '😀', 'ä', '\n');
    const pattern = fc
      .array(letters, { maxLength: 9 })
      .map((parts) => parts.join(''))
      .filter(isLikePattern);
    const text = fc.array(fc.constantFrom('a', 'b', '%', '_', '\\', '😀', 'ä', '\n'), { maxLength: 9 });
    fc.assert(
      fc.property(pattern, text, (like, parts) => {
        expect(compileLike(like)(parts.join(''))).toBe(reference(like).test(parts.join('')));
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses a lone trailing backslash, and takes an escaped one', () => {
    expect([isLikePattern('a\\'), isLikePattern('a\\\\'), isLikePattern('a\\\\\\')]).toEqual([false, true, false]);
    expect(() => compileLike('a\\')).toThrow(RangeError);
  });

  it('folds ASCII letters and nothing else', () => {
    const test = compileLike('%ÄbC', { foldCase: true });
    expect([test('xÄBc'), test('xäbc')]).toEqual([true, false]);
    // The Kelvin sign lower-cases to an ASCII letter.
    expect(foldAscii('A\u212a')).toBe('a\u212a');
  });

  it('takes time in proportion to the text', () => {
    const test = compileLike(`${'%a_'.repeat(60)}b`);
    const startMs = performance.now();
    expect(test('a'.repeat(200_000))).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});
