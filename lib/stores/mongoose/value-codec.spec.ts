import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { codecOf, type StorageFamily } from './value-codec.js';

const codec = (family: StorageFamily) => codecOf(family, mongoose.Types);

describe('operands as stored values', () => {
  it.each<[StorageFamily, string | bigint, string | undefined, string | undefined]>([
    ['decimal', '0.1', '0.1', '0.1'],
    ['decimal', '1000000000000000000000000000000000000000', '1E+39', '1E+39'],
    ['decimal', '12345678901234567890123456789012345.5', undefined, '1.234567890123456789012345678901234E+34'],
    ['decimal', '-12345678901234567890123456789012345.5', undefined, '-1.234567890123456789012345678901235E+34'],
    ['long', 9223372036854775807n, '9223372036854775807', undefined],
    ['long', 9223372036854775808n, undefined, '9223372036854775807'],
    ['long', -9223372036854775809n, undefined, undefined],
    ['objectId', '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011', undefined],
    ['objectId', '507F1F77BCF86CD799439011', undefined, undefined],
    ['uuid', 'not one', undefined, undefined],
  ])('of %s: %s', (family, operand, exact, below) => {
    const { exact: exactly, below: nextBelow } = codec(family);
    expect(exactly(operand)?.toString()).toBe(exact);
    expect(nextBelow?.(operand)?.toString()).toBe(below);
  });

  it('of times: microseconds are between what is stored', () => {
    const { exact, below } = codec('moment');
    expect(exact('2024-01-01T00:00:00.123Z')).toEqual(new Date('2024-01-01T00:00:00.123Z'));
    expect(exact('2024-01-01T00:00:00.123456Z')).toBeUndefined();
    expect(below?.('1969-12-31T23:59:59.999999Z')).toEqual(new Date('1969-12-31T23:59:59.999Z'));
  });
});
