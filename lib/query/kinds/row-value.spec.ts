import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatDecimal, type Decimal } from './decimal.js';
import type { EnumValue, FieldKind, QueryField } from './field-kind.js';
import { compareText, comparatorOf, jsonValueOf, rowReader } from './row-value.js';

const field = (kind: FieldKind, enumValues: readonly EnumValue[] = []): QueryField => ({ name: 'f', kind, enumValues });
const moment = new Date('2024-01-01T00:00:00.000Z');

describe('rowReader', () => {
  it.each<[FieldKind, unknown, unknown]>([
    ['string', 300, '300'],
    ['string', true, 'true'],
    ['string', 12n, '12'],
    ['string', moment, '2024-01-01T00:00:00.000Z'],
    ['string', NaN, null],
    ['string', ['a'], null],
    ['string', { toString: () => 'a' }, null],
    ['string', new Date(NaN), null],
    ['string', undefined, null],
    ['uuid', 'ABC', 'abc'],
    ['enum', 'unknown', 'unknown'],
    ['int', 5, 5],
    ['int', '5', 5],
    ['int', 5n, 5],
    ['int', 2.5, null],
    ['int', '05x', null],
    ['int', true, null],
    ['number', '2.50', 2.5],
    ['number', '0.1', 0.1],
    ['number', '0.10000000000000000555', null],
    ['number', 2n ** 70n, 2 ** 70],
    ['number', 2n ** 70n + 1n, null],
    ['number', Infinity, null],
    ['number', '', null],
    ['number', moment, null],
    ['bigint', 5, 5n],
    ['bigint', '9223372036854775807', 9223372036854775807n],
    ['bigint', 2.5, null],
    ['bigint', 2 ** 60, null],
    ['boolean', 'false', false],
    ['boolean', 1, null],
    ['date', moment, '2024-01-01'],
    ['date', '2024-01-01T02:00:00+02:00', '2024-01-01'],
    ['date', '2024-01-01T00:00:01Z', null],
    ['date', 'Jun 12 1998', null],
    ['datetime', moment, moment.getTime()],
    ['datetime', '2024-01-01', moment.getTime()],
    ['datetime', '2024-01-01T00:00:00', moment.getTime()],
    ['datetime', 1704067200000, null],
  ])('reads in a field of kind %s %p as %p', (kind, value, expected) => {
    expect(rowReader(field(kind))(value)).toBe(expected);
  });

  it('reads decimals from strings, numbers and big integers', () => {
    const read = (value: unknown) => formatDecimal(rowReader(field('decimal'))(value) as Decimal);
    expect([read('1.50'), read(1.5), read(15n)]).toEqual(['1.5', '1.5', '15']);
    expect(rowReader(field('decimal'))('1e5')).toBeNull();
  });

  it('reads an enum of numbers as numbers', () => {
    expect(rowReader(field('enum', [1, 2]))('2')).toBe(2);
  });

  it('answers with JSON values', () => {
    expect(jsonValueOf(field('bigint'), 5n)).toBe('5');
    expect(jsonValueOf(field('datetime'), moment.getTime())).toBe('2024-01-01T00:00:00.000Z');
    expect(jsonValueOf(field('boolean'), false)).toBe(false);
  });
});

describe('compareText', () => {
  it('orders by code point, as UTF-8 bytes do', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
    expect(compareText('\uffee', '😀')).toBeLessThan(0);
  });

  it('orders numbers as numbers, and booleans false first', () => {
    expect([10, 9].sort(comparatorOf(field('int')) as (a: number, b: number) => number)).toEqual([9, 10]);
    expect(comparatorOf(field('boolean'))(false, true)).toBeLessThan(0);
  });
});
