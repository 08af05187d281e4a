import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../../common/index.js';
import { strictSchema } from './strict-schema.js';

const closed = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const whole = (properties: Record<string, JsonSchema>): JsonSchema => closed(properties, Object.keys(properties));

/** The strict form of one property. */
function strictly(property: JsonSchema, isRequired = true, $defs: Record<string, JsonSchema> = {}): unknown {
  const strict = strictSchema(
    { ...closed({ it: property }, isRequired ? ['it'] : []), $defs },
    { nullMeansAbsent: false },
  );
  return 'schema' in strict ? strict.schema.properties?.['it'] : strict.obstacles;
}

describe('a strict schema', () => {
  it('requires every property at all depths, and lets an optional one be null', () => {
    const source: JsonSchema = {
      type: 'object',
      properties: {
        q: { type: 'string' },
        limit: { type: 'integer' },
        opts: { type: 'object', properties: { a: { type: 'string' } } },
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        either: { anyOf: [{ type: 'boolean' }, closed({ b: { type: 'number' } })] },
      },
      required: ['q', 'lines', 'either'],
      $defs: { Line: closed({ sku: { type: 'integer' }, note: { type: 'string' } }, ['sku']) },
    };
    expect(strictSchema(source, { nullMeansAbsent: false })).toEqual({
      schema: {
        ...whole({
          q: { type: 'string' },
          limit: { type: ['integer', 'null'] },
          opts: { anyOf: [whole({ a: { type: ['string', 'null'] } }), { type: 'null' }] },
          lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
          either: { anyOf: [{ type: 'boolean' }, whole({ b: { type: ['number', 'null'] } })] },
        }),
        $defs: { Line: whole({ sku: { type: 'integer' }, note: { type: ['string', 'null'] } }) },
      },
    });
  });

  it('keeps recursion, and leaves out definitions that nothing refers to', () => {
    const $defs = {
      Tree: closed({ children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }),
      Unused: { type: 'object' } as JsonSchema,
    };
    const strict = strictSchema({ ...closed({ tree: { $ref: '#/$defs/Tree' } }), $defs }, { nullMeansAbsent: false });
    expect(strict).toEqual({
      schema: {
        ...whole({ tree: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] } }),
        $defs: {
          Tree: whole({ children: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/Tree' } }, { type: 'null' }] } }),
        },
      },
    });
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['one type of several each', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'the keywords of each type with it',
      { type: ['string', 'integer'], pattern: '^a', minimum: 1 },
      {
        anyOf: [
          { type: 'string', pattern: '^a' },
          { type: 'integer', minimum: 1 },
        ],
      },
    ],
    ['a constant as a choice of one', { const: 'circle' }, { type: 'string', enum: ['circle'] }],
    [
      'a choice by type, null by itself',
      { enum: ['a', 1, null, 1.5] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'integer', enum: [1] },
          { type: 'null' },
          { type: 'number', enum: [1.5] },
        ],
      },
    ],
    ['of a choice what its type lets pass', { type: 'string', enum: ['a', 1] }, { type: 'string', enum: ['a'] }],
    ['exactly one as any of them', { oneOf: [{ type: 'string' }] }, { type: 'string' }],
    [
      'what stands beside a union in its branches',
      { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }], description: 'When.' },
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
        description: 'When.',
      },
    ],
    [
      'what holds together as one',
      { allOf: [{ type: 'number' }, { type: 'integer', minimum: 2 }] },
      { type: 'integer', minimum: 2 },
    ],
    [
      'the tighter of two bounds',
      { type: 'number', minimum: 1, allOf: [{ minimum: 3 }] },
      { type: 'number', minimum: 3 },
    ],
    [
      'a reference with what describes it around',
      { $ref: '#/$defs/Line', description: 'The line.' },
      { anyOf: [{ $ref: '#/$defs/Line' }], description: 'The line.' },
    ],
    [
      'in words what it has no keyword for',
      { type: 'string', minLength: 1, maxLength: 20, description: 'A title.' },
      { type: 'string', description: 'A title. Must satisfy: minLength 1, maxLength 20.' },
    ],
    [
      'in words a second pattern',
      { type: 'string', pattern: '^a', allOf: [{ pattern: 'b$' }] },
      { type: 'string', pattern: '^a', description: 'Must satisfy: pattern "b$".' },
    ],
    [
      'in words a format that is not supported',
      { type: 'string', format: 'uri' },
      { type: 'string', description: 'Must satisfy: format "uri".' },
    ],
    [
      'in words a pattern that looks around',
      { type: 'string', pattern: '^(?!a)' },
      { type: 'string', description: 'Must satisfy: pattern "^(?!a)".' },
    ],
  ])('tells %s', (_what, property, expected) => {
    expect(strictly(property, true, { Line: closed({ sku: { type: 'integer' } }) })).toEqual(expected);
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['a scalar', { type: 'string', format: 'uuid' }, { type: ['string', 'null'], format: 'uuid' }],
    ['a choice', { enum: ['a', 'b'] }, { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] }],
    [
      'a union, and describes all of it',
      { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'Either.' },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }], description: 'Either.' },
    ],
    [
      'a default, which it tells',
      { type: 'integer', default: 10 },
      { type: ['integer', 'null'], description: 'Null means 10.' },
    ],
  ])('lets an optional property be null: %s', (_what, property, expected) => {
    expect(strictly(property, false)).toEqual(expected);
  });

  it.each<[string, JsonSchema, RegExp]>([
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, /^\/it is an object whose keys are free/],
    ['a map beside properties', { ...closed({}), additionalProperties: true }, /keys are free/],
    ['an object of which nothing is told', { type: 'object' }, /keys are free/],
    ['keys that match a pattern', { ...closed({}), patternProperties: { '^x': {} } }, /keys are free/],
    ['any value', {}, /^\/it takes any value/],
    ['any value but null', { not: { type: 'null' } }, /takes any value/],
    ['a list of anything', { type: 'array', items: {} }, /^\/it\/items takes any value/],
    ['a list without items', { type: 'array' }, /takes any value/],
    ['a union with anything', { anyOf: [{ type: 'string' }, {}] }, /^\/it\/anyOf\/1 takes any value/],
    ['a list of fixed places', { type: 'array', prefixItems: [{ type: 'string' }] }, /fixed places/],
    ['an object as a value', { enum: [{ a: 1 }] }, /no scalars/],
    ['a required key that it does not describe', closed({}, ['gone']), /requires gone/],
    ['two objects at once', { allOf: [closed({ a: {} }), closed({ b: {} })] }, /several properties/],
    ['an unknown reference', { $ref: 'other.json' }, /not in the document/],
    ['an object within a definition', { $ref: '#/$defs/Open' }, /^\/\$defs\/Open is an object whose keys/],
  ])('is not made of %s', (_what, property, obstacle) => {
    expect(strictly(property, true, { Open: { type: 'object' } })).toEqual([expect.stringMatching(obstacle)]);
  });

  it('is not made where null is a value of what may be left out, unless null means that it is left out', () => {
    const source = closed({ priority: { type: ['integer', 'null'] }, title: { type: 'string' } });
    expect(strictSchema(source, { nullMeansAbsent: false })).toEqual({
      obstacles: [expect.stringMatching(/^\/priority may be left out and may be null/)],
    });
    expect(strictSchema(source, { nullMeansAbsent: true })).toEqual({
      schema: whole({ priority: { type: ['integer', 'null'] }, title: { type: ['string', 'null'] } }),
    });
    const required = closed({ priority: { type: ['integer', 'null'] } }, ['priority']);
    expect(strictSchema(required, { nullMeansAbsent: false })).toEqual({ schema: required });
  });

  it('tells every obstacle at once', () => {
    const source = closed({ a: {}, b: { type: 'object' } }, ['a', 'b']);
    expect(strictSchema(source, { nullMeansAbsent: false })).toMatchObject({ obstacles: { length: 2 } });
  });

  it('takes an empty object, and keys that objects inherit', () => {
    expect(strictSchema(closed({}), { nullMeansAbsent: false })).toEqual({ schema: whole({}) });
    const odd = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as Record<
      string,
      JsonSchema
    >;
    const strict = strictSchema(closed(odd), { nullMeansAbsent: false });
    expect('schema' in strict && Object.keys(strict.schema.properties ?? {})).toEqual(['__proto__', 'constructor']);
  });
});

describe('the documented limits', () => {
  const nested = (depth: number): JsonSchema => (depth === 0 ? { type: 'string' } : whole({ in: nested(depth - 1) }));
  const choice = (count: number, length: number): JsonSchema => ({
    enum: Array.from({ length: count }, (_each, index) => String(index).padStart(length, 'x')),
  });
  const many = (count: number): JsonSchema =>
    whole(Object.fromEntries(Array.from({ length: count }, (_each, index) => [`p${index}`, { type: 'string' }])));
  const chain = (length: number): JsonSchema => ({
    ...whole({ next: { $ref: '#/$defs/D1' } }),
    $defs: Object.fromEntries(
      Array.from({ length }, (_each, index) => [
        `D${index + 1}`,
        whole({ next: index + 1 === length ? { $ref: '#/$defs/D1' } : { $ref: `#/$defs/D${index + 2}` } }),
      ]),
    ),
  });

  it.each<[string, JsonSchema, JsonSchema, RegExp]>([
    ['nesting', nested(10), nested(11), /nested more than 10/],
    ['nesting through references', chain(9), chain(10), /nested more than 10/],
    ['properties', many(5_000), many(5_001), /5000 properties/],
    ['values of enums', whole({ a: choice(1_000, 4) }), whole({ a: choice(1_001, 4) }), /1000 enum values/],
    ['one long enum', whole({ a: choice(250, 70) }), whole({ a: choice(251, 70) }), /250 values/],
    [
      'characters of names and values',
      whole({ a: choice(200, 599) }),
      whole({ a: choice(200, 601) }),
      /120000 characters/,
    ],
  ])('bound %s', (_what, within, past, obstacle) => {
    expect(strictSchema(within, { nullMeansAbsent: false })).toMatchObject({ schema: { type: 'object' } });
    expect(strictSchema(past, { nullMeansAbsent: false })).toEqual({ obstacles: [expect.stringMatching(obstacle)] });
  });
});
