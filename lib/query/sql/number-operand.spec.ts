import { describe, expect, it } from '@jest/globals';
import { numberBound } from './number-operand.js';
import type { ColumnStorage, SqlDialect } from './sql-column.js';

function boundOf(operand: string | number | bigint, storage: ColumnStorage, dialect: SqlDialect) {
  const { floor, isExact } = numberBound(operand, { sql: 'x', storage }, dialect);
  return [typeof floor === 'string' ? floor : floor.values[0], isExact];
}

describe('the bound that a number is in a column', () => {
  it.each<[ColumnStorage, SqlDialect, string | number | bigint, string, boolean]>([
    ['integer', 'postgres', 7, '7', true],
    ['integer', 'postgres', 2.5, '2', false],
    ['integer', 'postgres', -2.5, '-3', false],
    ['integer', 'postgres', 9223372036854775807n, '9223372036854775807', true],
    ['integer', 'postgres', 9223372036854775808n, 'above', false],
    ['integer', 'postgres', -9223372036854775809n, 'below', false],
    ['integer', 'mysql', 18446744073709551615n, '18446744073709551615', true],
    ['real', 'postgres', 0.1, '0.1', true],
    ['real', 'postgres', 1e21, '1e+21', true],
    ['numeric', 'sqlite', '0.1', '0.1', true],
    ['numeric', 'sqlite', '0.10000000000000000555', '0.1', false],
    ['numeric', 'sqlite', '0.09999999999999999999', '0.09999999999999999', false],
    ['numeric', 'sqlite', '-0.10000000000000000555', '-0.10000000000000002', false],
    ['numeric', 'sqlite', '9007199254740993', '9007199254740993', true],
    ['numeric', 'sqlite', '1152921504606847076.5', '1152921504606847076', false],
    ['numeric', 'sqlite', '-1152921504606847076.5', '-1152921504606847077', false],
    ['numeric', 'postgres', '0.10000000000000000555', '0.10000000000000000555', true],
    ['numeric', 'mysql', `0.${'1'.repeat(40)}`, `0.${'1'.repeat(30)}`, false],
    ['numeric', 'mysql', `-0.${'1'.repeat(40)}`, `-0.${'1'.repeat(29)}2`, false],
  ])('%s on %s: %s', (storage, dialect, operand, floor, isExact) => {
    expect(boundOf(operand, storage, dialect)).toEqual([floor, isExact]);
  });
});
