import { describe, expect, it } from '@jest/globals';
import { expressionOf, literalPattern, schemaPattern } from './regular-expression.js';

describe('schemaPattern', () => {
  it.each([
    [/^[a-z]+$/, '^[a-z]+$'],
    [/b/g, 'b'],
    [/b/d, 'b'],
    [/^\p{L}+$/u, String.raw`^\p{L}+$`],
    [/^[\w\-.]+\@x$/, String.raw`^[\w\-.]+@x$`],
    [/\_\-\~/, '_-~'],
    [/^\d{2}\/\d{2}$/, String.raw`^\d{2}\/\d{2}$`],
    [/[\]\-]/, String.raw`[\]\-]`],
    [/(?<year>\d{4})\k<year>/, String.raw`(?<year>\d{4})\k<year>`],
  ])('carries %p', (expression, pattern) => {
    expect(schemaPattern(expression)).toBe(pattern);
    expect(new RegExp(pattern, 'u')).toBeInstanceOf(RegExp);
  });

  it.each([/a/i, /^a$/m, /a.b/s, /a/y, new RegExp('[a&&b]', 'v'), /a{,2}/, /]/, new RegExp('\\8')])(
    'leaves %p out',
    (expression) => {
      expect(schemaPattern(expression)).toBeUndefined();
    },
  );
});

describe('literalPattern', () => {
  it.each(['a.b', '(', '[x]', 'a\\b', '^$', '{1}', 'a|b', '/', '*+?', '😀', '-'])('finds %p as it stands', (text) => {
    const expression = new RegExp(literalPattern(text), 'u');
    expect(expression.test(`x${text}y`)).toBe(true);
    expect(expression.test('xy')).toBe(false);
  });
});

describe('expressionOf', () => {
  it('takes an expression, or the source and the flags of one', () => {
    expect(expressionOf(/a/i, undefined)).toEqual(/a/i);
    expect(expressionOf('a', 'i')).toEqual(/a/i);
    expect(expressionOf('a', undefined)).toEqual(/a/);
  });

  it('takes nothing else', () => {
    expect(expressionOf('(', undefined)).toBeUndefined();
    expect(expressionOf(undefined, undefined)).toBeUndefined();
  });
});
