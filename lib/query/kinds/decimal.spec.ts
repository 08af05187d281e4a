import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DecimalSum,
  compareDecimals,
  decimalOfNumber,
  divideToNumber,
  formatDecimal,
  parseDecimal,
  type Decimal,
} from './decimal.js';

const parsed = (text: string) => parseDecimal(text) as Decimal;

describe('decimals', () => {
  it.each([
    ['0.50', '0.5'],
    ['-0.0', '0'],
    ['007', '7'],
    ['-12.340', '-12.34'],
    ['0.001', '0.001'],
    ['123456789012345678901234567890.1', '123456789012345678901234567890.1'],
  ])('writes %s as %s', (text, canonical) => {
    expect(formatDecimal(parsed(text))).toBe(canonical);
  });

  it.each(['', '.5', '5.', '1e3', '1,5', ' 1', 'NaN', 'Infinity', '0x10', '--1'])('reads nothing in "%s"', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('reads a number as it prints, exponents included', () => {
    expect(formatDecimal(decimalOfNumber(0.1))).toBe('0.1');
    expect(formatDecimal(decimalOfNumber(1.5e-7))).toBe('0.00000015');
    expect(formatDecimal(decimalOfNumber(1e21))).toBe('1000000000000000000000');
  });

  it('adds exactly where doubles do not', () => {
    const sum = new DecimalSum();
    for (const text of ['0.1', '0.2', '1000000000000000000000']) sum.add(parsed(text));
    expect(formatDecimal(sum.total)).toBe('1000000000000000000000.3');
  });

  it('divides with one rounding', () => {
    expect(divideToNumber(parsed('1'), 3)).toBe(1 / 3);
    expect(divideToNumber(parsed('-0.7'), 7)).toBe(-0.1);
    expect(divideToNumber(parsed('0'), 7)).toBe(0);
    expect(divideToNumber(parsed('0.0000000000000000000000000000001'), 1)).toBe(1e-31);
  });

  it('agrees with integers scaled by hand', () => {
    const hundredths = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const text = (value: bigint) =>
      `${value < 0n ? '-' : ''}${`${value < 0n ? -value : value}`.padStart(3, '0').replace(/(..)$/, '.$1')}`;
    fc.assert(
      fc.property(hundredths, hundredths, (a, b) => {
        const sum = new DecimalSum();
        sum.add(parsed(text(a)));
        sum.add(parsed(text(b)));
        expect(compareDecimals(sum.total, parsed(text(a + b)))).toBe(0);
        expect(Math.sign(compareDecimals(parsed(text(a)), parsed(text(b))))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
