import { describe, expect, it } from '@jest/globals';
import { encodePathParameter } from './path-parameter.js';

describe('encodePathParameter', () => {
  it.each([
    ['a', 'a'],
    ['a b', 'a%20b'],
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['http://evil.test/x', 'http%3A%2F%2Fevil.test%2Fx'],
    ['@evil.test', '%40evil.test'],
    ['...', '...'],
    ['..a', '..a'],
    ['100%', '100%25'],
    ['ü', '%C3%BC'],
    [7, '7'],
    [0, '0'],
    [false, 'false'],
    [12n, '12'],
  ])('encodes %j as %s', (value, text) => {
    expect(encodePathParameter(value)).toEqual({ text });
  });

  it.each([
    [undefined, 'missing'],
    [null, 'missing'],
    [{}, 'not_text'],
    [['a'], 'not_text'],
    [Number.NaN, 'not_text'],
    [Infinity, 'not_text'],
    [Symbol('a'), 'not_text'],
    ['', 'empty'],
    ['.', 'dot_segment'],
    ['..', 'dot_segment'],
    [' .. ', 'dot_segment'],
    ['../admin', 'dot_segment'],
    ['a/../b', 'dot_segment'],
    ['..\\admin', 'dot_segment'],
    ['%2e%2e', 'dot_segment'],
    ['%252e%252e', 'dot_segment'],
    ['..%2fadmin', 'dot_segment'],
    ['%c0%ae%c0%ae', 'dot_segment'],
    ['..;x', 'dot_segment'],
    ['．．', 'dot_segment'],
    ['‥', 'dot_segment'],
    ['a\nb', 'control_character'],
    ['a\u0000', 'control_character'],
    ['a\u0085', 'control_character'],
    ['a%0ab', 'control_character'],
    ['\ud800', 'lone_surrogate'],
  ])('refuses %j as %s', (value, problem) => {
    expect(encodePathParameter(value)).toEqual({ problem });
  });
});
