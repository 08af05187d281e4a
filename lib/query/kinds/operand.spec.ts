import { describe, expect, it } from '@jest/globals';
import type { FieldKind, QueryField } from './field-kind.js';
import { expectedOperands, parseOperand } from './operand.js';

const field = (kind: FieldKind): QueryField => ({
  name: 'f',
  kind,
  enumValues: kind === 'enum' ? ['draft', 1] : [],
});

describe('parseOperand', () => {
  it.each<[FieldKind, unknown, unknown]>([
    ['string', '', ''],
    ['string', 'Ä😀', 'Ä😀'],
    ['uuid', 'ABCDEF00-0000-4000-8000-00000000000A', 'abcdef00-0000-4000-8000-00000000000a'],
    ['enum', 'draft', 'draft'],
    ['enum', 1, 1],
    ['int', -0, 0],
    ['int', 9007199254740991, 9007199254740991],
    ['bigint', '-9223372036854775808', -9223372036854775808n],
    ['number', 2.5, 2.5],
    ['decimal', '10.50', '10.5'],
    ['boolean', false, false],
    ['date', '2024-02-29', '2024-02-29'],
    ['datetime', '2024-01-01T00:00:00+01:00', '2023-12-31T23:00:00.000Z'],
  ])('takes for %s %p', (kind, value, canonical) => {
    expect(parseOperand(value, field(kind), 'UTC')).toBe(canonical);
  });

  it.each<[FieldKind, unknown]>([
    ['string', 1],
    ['string', 'a\0b'],
    ['string', '\ud800'],
    ['string', { $ne: null }],
    ['string', ['a']],
    ['uuid', 'abc'],
    ['enum', 'Draft'],
    ['enum', '1'],
    ['int', 2.5],
    ['int', '2'],
    ['int', 9007199254740992],
    ['int', true],
    ['bigint', 5],
    ['bigint', '5n'],
    ['bigint', '9'.repeat(41)],
    ['number', NaN],
    ['number', Infinity],
    ['number', '5'],
    ['number', '1,5'],
    ['number', null],
    ['decimal', 5],
    ['decimal', '1e5'],
    ['decimal', '1,5'],
    ['boolean', 1],
    ['boolean', 'true'],
    ['date', '2023-02-29'],
    ['date', 20240101],
    ['datetime', '2024-01-01'],
    ['datetime', 1704067200000],
  ])('refuses for %s %p', (kind, value) => {
    expect(parseOperand(value, field(kind), 'UTC')).toBeUndefined();
  });

  it('says what fits: the values themselves where they can be listed', () => {
    expect(expectedOperands(field('enum'))).toEqual(['draft', 1]);
    expect(expectedOperands(field('boolean'))).toEqual([true, false]);
    expect(expectedOperands(field('date'))).toEqual(['a date as YYYY-MM-DD']);
  });
});
