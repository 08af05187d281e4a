import { describe, expect, it } from '@jest/globals';
import { compileRegex } from './regex-pattern.js';

describe('compileRegex', () => {
  it('searches anywhere in the text', () => {
    expect(compileRegex('b+')?.('abbc')).toBe(true);
    expect(compileRegex('^b')?.('abbc')).toBe(false);
    expect(compileRegex('(?i)DRAMA')?.('a drama')).toBe(true);
  });

  it.each(['a(?=b)', '(?<=a)b', '(a)\\1', '(', 'x{1001}', '(x{1000}){2}', 'a**'])('refuses %s', (pattern) => {
    expect(compileRegex(pattern)).toBeUndefined();
  });

  it('takes linear time where a backtracking engine would not end', () => {
    const startMs = performance.now();
    expect(compileRegex('^(a+)+$')?.(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});
