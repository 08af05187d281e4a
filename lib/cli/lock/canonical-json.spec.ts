import { describe, expect, it } from '@jest/globals';
import { canonical, canonicalHash, sortedRecord } from './canonical-json.js';

describe('canonicalHash', () => {
  it('does not depend on the order of keys and of required names', () => {
    const one = { type: 'object', properties: { a: {}, b: { type: ['string', 'null'] } }, required: ['a', 'b'] };
    const other = { required: ['b', 'a'], properties: { b: { type: ['string', 'null'] }, a: {} }, type: 'object' };
    expect(canonicalHash(one)).toBe(canonicalHash(other));
    expect(canonicalHash(one)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([
    [{ enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
    [{ minimum: 1 }, { minimum: 2 }],
    [{ a: {} }, { a: {}, b: {} }],
    [{ properties: { required: { type: 'string' } } }, { properties: { required: { type: 'number' } } }],
  ])('tells %j from %j', (one, other) => {
    expect(canonicalHash(one)).not.toBe(canonicalHash(other));
  });
});

it('keeps keys that objects inherit elsewhere', () => {
  const record = sortedRecord([
    ['constructor', 1],
    ['__proto__', 2],
  ]);
  expect(Object.keys(record)).toEqual(['__proto__', 'constructor']);
  expect(JSON.stringify(canonical(record))).toBe('{"__proto__":2,"constructor":1}');
});
