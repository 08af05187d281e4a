import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileLike, isLikePattern } from '../../query/patterns/index.js';
import { likeExpression } from './like-expression.js';

describe('likeExpression', () => {
  it('says what the reference says, folded or not', () => {
    const letters = ['a', 'B', '%', '_', '\\', '😀', 'ä', '\n', '1', '[', '$', '\u212a', 'k'];
    const pattern = fc
      .array(fc.constantFrom(...letters), { maxLength: 12 })
      .map((parts) => parts.join(''))
      .filter(isLikePattern);
    const text = fc.array(fc.constantFrom(...letters, 'A', 'b'), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (like, value, foldCase) => {
        const expression = new RegExp(likeExpression(like, foldCase), 'u');
        expect(expression.test(value)).toBe(compileLike(like, { foldCase })(value));
      }),
      { seed: 45, numRuns: 3000 },
    );
  });

  it('ends where the text ends, not before a last line break', () => {
    expect(likeExpression('a', false)).toBe('^a(?![\\s\\S])');
    expect(new RegExp(likeExpression('a', false), 'u').test('a\n')).toBe(false);
  });

  it('starts with the literal prefix, which an index serves', () => {
    expect(likeExpression('a.b%', false)).toBe('^a\\.b');
  });

  it('takes time in proportion to the text, in an engine that backtracks', () => {
    const expression = new RegExp(likeExpression(`${'%a_'.repeat(60)}%b`, false), 'u');
    const startMs = performance.now();
    expect(expression.test('a'.repeat(20_000))).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});
