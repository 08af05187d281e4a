import { describe, expect, it } from '@jest/globals';
import { ANYTHING, ANYTHING_DEFINED, both, narrowTo, only } from './constraint.js';
import { constraintSchema } from './constraint-schema.js';

describe('both', () => {
  it('keeps the kinds that pass both, and the tighter of two bounds', () => {
    const schema = both(
      only('string', { minLength: 1, maxLength: 9 }),
      only('string', { minLength: 3, maxLength: 20 }),
    );
    expect(constraintSchema(schema)).toEqual({ type: 'string', minLength: 3, maxLength: 9 });
    expect(constraintSchema(both(ANYTHING, only('boolean')))).toEqual({ type: 'boolean' });
  });

  it('asks for both where one keyword cannot hold two values', () => {
    const two = both(only('string', { pattern: 'a' }), only('string', { pattern: 'b' }));
    const three = both(two, only('string', { pattern: 'c' }));
    expect(constraintSchema(three)).toEqual({
      type: 'string',
      pattern: 'a',
      allOf: [{ pattern: 'b' }, { pattern: 'c' }],
    });
  });

  it('keeps the values and the formats that they share', () => {
    const values = both({ ...only('string'), values: ['a', 'b'] }, { ...only('string'), values: ['b', 'c'] });
    expect(constraintSchema(values)).toEqual({ type: 'string', enum: ['b'] });
    const formats = both(
      { ...only('string'), formats: ['date', 'date-time'] },
      { ...only('string'), formats: ['date'] },
    );
    expect(constraintSchema(formats)).toEqual({ type: 'string', format: 'date' });
    const unlike = both({ ...only('string'), formats: ['email'] }, { ...only('string'), formats: ['uuid'] });
    expect(constraintSchema(unlike)).toEqual({ type: 'string', format: 'email' });
  });

  it('says each note once', () => {
    const noted = { ...only('string'), notes: ['A URL.'] };
    expect(constraintSchema(both(noted, noted))).toEqual({ type: 'string', description: 'A URL.' });
  });
});

describe('narrowTo', () => {
  it('keeps the kinds that are asked for', () => {
    expect(narrowTo(ANYTHING, ['string', 'null']).kinds).toEqual(['string', 'null']);
  });

  it('keeps the constraint where it lets none of them through', () => {
    expect(narrowTo(only('string'), ['number'])).toEqual(only('string'));
  });
});

describe('constraintSchema', () => {
  it.each([
    [ANYTHING, {}],
    [ANYTHING_DEFINED, { not: { type: 'null' } }],
    [{ ...ANYTHING_DEFINED, keywords: { string: { minLength: 1 } } }, { not: { enum: ['', null] } }],
    [{ ...only('string'), kinds: ['string', 'null'] }, { type: ['string', 'null'] }],
    [{ ...only('string'), kinds: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [{ ...only('null') }, { type: 'null' }],
    [{ ...ANYTHING, refused: ['a'] }, { not: { const: 'a' } }],
    [{ ...ANYTHING, refused: ['a', 1] }, { not: { enum: ['a', 1] } }],
    [{ ...only('string'), refused: [1] }, { type: 'string' }],
    [
      { ...only('string', { not: { pattern: 'a' } }), refused: ['b'] },
      { allOf: [{ type: 'string', not: { pattern: 'a' } }, { not: { const: 'b' } }] },
    ],
    [only('array'), { type: 'array', items: {} }],
    [only('object', { $ref: '#/$defs/A', minProperties: 1 }), { $ref: '#/$defs/A' }],
  ] as const)('writes %j', (constraint, schema) => {
    expect(constraintSchema(constraint as never)).toEqual(schema);
  });
});
