import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromColumn, toColumn } from './row-values.js';

describe('toColumn', () => {
  it('leaves JSON texts as they are', () => {
    fc.assert(fc.property(fc.json(), (text) => toColumn(text) === text));
  });

  it('is undone by `fromColumn`, whatever the text', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u0000', '\u001b', '\ud800', '\udc00', '😀', '0', 'd', '\\'),
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    );
    const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
    fc.assert(fc.property(text, (each) => fromColumn(toColumn(each)) === each));
  });

  it('yields nothing that a text column cannot hold', () => {
    const column = toColumn('a\u0000\ud800b\u001b😀');
    expect(column).toBe('a\u001b0000\u001bd800b\u001b001b😀');
    expect(column.isWellFormed()).toBe(true);
  });
});
