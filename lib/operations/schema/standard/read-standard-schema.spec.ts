import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import type { JsonSchema } from '../../../common/index.js';
import { SchemaContext, type SchemaGap } from '../schema-context.js';
import { readStandardSchema, type StandardReading } from './read-standard-schema.js';
import { standardSchemaOf } from './standard-schema.js';

interface Read extends StandardReading {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly gaps: readonly SchemaGap[];
}

function read(schema: unknown, context = new SchemaContext()): Read {
  const standard = standardSchemaOf(schema);
  if (standard === undefined) throw new Error('no Standard Schema');
  const placeOf = (path: string): string => ['NoteDto', path].filter(Boolean).join('.');
  const reading = readStandardSchema(standard, { context, name: 'Note', placeOf });
  return { ...reading, definitions: context.definitions, gaps: context.gaps };
}

function propertiesOf(shape: z.ZodRawShape): JsonSchema['properties'] {
  return read(z.object(shape)).schema.properties;
}

describe('a schema of zod', () => {
  it('is told as zod tells it', () => {
    const { schema, isExact, gaps } = read(
      z.object({
        title: z.string().min(2).describe('What it is about.'),
        stars: z.coerce.number().int().max(5).default(3),
      }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 2, description: 'What it is about.' },
        stars: { type: 'integer', maximum: 5, default: 3 },
      },
      required: ['title'],
    });
    expect(isExact).toBe(true);
    expect(gaps).toEqual([]);
  });

  it('brings its definitions into the document, where another may have one of that name', () => {
    const Author = z.object({ name: z.string() }).meta({ id: 'Author' });
    const context = new SchemaContext();
    expect(read(z.object({ by: Author }), context).schema.properties).toEqual({ by: { $ref: '#/$defs/Author' } });
    expect(read(z.object({ to: Author }), context).schema.properties).toEqual({ to: { $ref: '#/$defs/Author_2' } });
    const author = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect(context.definitions).toEqual({ Author: author, Author_2: author });
  });

  it('may refer to itself, as a whole or in a part', () => {
    const Tree = z.object({
      name: z.string(),
      get branches() {
        return z.array(Tree).optional();
      },
    });
    const whole = read(Tree);
    expect(whole.schema.properties?.['branches']).toEqual({ type: 'array', items: { $ref: '#/$defs/Note' } });
    expect(whole.definitions['Note']).toEqual(whole.schema);
    const part = read(z.object({ tree: Tree }));
    expect(part.schema.properties?.['tree']).toEqual({ $ref: '#/$defs/NotePart' });
    expect(part.definitions['NotePart']?.properties?.['branches']).toEqual({
      type: 'array',
      items: { $ref: '#/$defs/NotePart' },
    });
  });

  it('may have a name as a whole, and be what that name stands for', () => {
    const Named = z.object({ title: z.string() }).meta({ id: 'Named', description: 'A note.' });
    expect(read(Named).schema).toEqual({
      type: 'object',
      description: 'A note.',
      properties: { title: { type: 'string' } },
      required: ['title'],
    });
    const Itself = z
      .object({
        get inner() {
          return Itself.optional();
        },
      })
      .meta({ id: 'Itself' });
    const { schema, definitions } = read(Itself);
    expect(schema).toEqual({ type: 'object', properties: { inner: { $ref: '#/$defs/Itself' } } });
    expect(definitions['Itself']).toEqual(schema);
  });

  it('tells a format without the pattern that says the same', () => {
    expect(propertiesOf({ id: z.uuid(), at: z.iso.datetime(), mail: z.email({ pattern: /@example\.com$/ }) })).toEqual({
      id: { type: 'string', format: 'uuid' },
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email', pattern: '@example\\.com$' },
    });
  });

  it('keeps what only zod understands to itself', () => {
    expect(
      propertiesOf({ note: z.string().meta({ title: 'Note', examples: ['a'], 'x-since': 'v1', since: 2 }) }),
    ).toEqual({
      note: { type: 'string', title: 'Note', examples: ['a'] },
    });
    expect(propertiesOf({ part: z.string().startsWith('a').toLowerCase() })?.['part']).not.toHaveProperty('format');
  });

  it('tells in words what is checked after a change', () => {
    const { schema, gaps } = read(z.object({ slug: z.string().trim().min(1).max(9).describe('Part of the address.') }));
    expect(schema.properties?.['slug']).toEqual({
      type: 'string',
      description:
        'Part of the address. The application changes the value before it checks it; then it must fit {"minLength":1,"maxLength":9}.',
    });
    expect(gaps).toEqual([{ at: 'NoteDto.slug', why: expect.stringContaining('.trim') }]);
  });

  it('leaves open what is converted, and tells what must come out', () => {
    const flag = z.preprocess((value) => value === 'true', z.boolean());
    const { schema, converted, gaps } = read(
      z.object({ flag, deep: z.object({ flag: flag.optional() }), plain: z.int() }),
    );
    expect(schema.properties?.['flag']).toEqual({
      description:
        'The application transforms the value before it checks it; what comes out must fit {"type":"boolean"}.',
    });
    expect(schema.required).toEqual(['deep', 'plain']);
    expect([...converted]).toEqual(['flag', 'deep']);
    expect(gaps.map(({ at }) => at)).toEqual(['NoteDto.flag', 'NoteDto.deep.flag']);
  });

  it('leaves open what is replaced where it does not fit', () => {
    expect(propertiesOf({ level: z.enum(['low', 'high']).catch('low') })).toEqual({
      level: {
        description:
          'The application takes a value of its own where this does not fit {"type":"string","enum":["low","high"]}.',
        default: 'low',
      },
    });
  });

  it('tells the dates that text is made into', () => {
    expect(propertiesOf({ at: z.coerce.date().describe('When.') })).toEqual({
      at: {
        description: 'When.',
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
      },
    });
  });

  it('tells the keys of a record that there are, and no other', () => {
    expect(
      propertiesOf({ scores: z.record(z.enum(['a', 'b']), z.int32()), tags: z.record(z.string(), z.string()) }),
    ).toMatchObject({
      scores: {
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
    });
    expect(propertiesOf({ tags: z.record(z.string(), z.string()) })?.['tags']).not.toHaveProperty('propertyNames');
  });

  it('reports what has no JSON, by property', () => {
    const { schema, gaps } = read(
      z.object({ map: z.map(z.string(), z.string()).describe('A map.'), list: z.array(z.object({ at: z.date() })) }),
    );
    expect(schema.properties?.['map']).toEqual({ description: 'A map.' });
    expect(gaps).toEqual([
      { at: 'NoteDto.map', why: expect.stringContaining('a map of zod') },
      { at: 'NoteDto.list.[].at', why: expect.stringContaining('a date of zod') },
    ]);
  });

  it('tells no default that is another each time', () => {
    expect(
      propertiesOf({ id: z.string().default(() => String(Math.random())), kind: z.string().default(() => 'a') }),
    ).toEqual({
      id: { type: 'string' },
      kind: { type: 'string', default: 'a' },
    });
  });

  it.each<[string, z.ZodType, boolean]>([
    ['string', z.string(), false],
    ['optional', z.string().optional(), true],
    ['default', z.string().default('a'), true],
    ['prefault', z.array(z.string()).prefault([]), true],
    ['any', z.any(), true],
    ['coerced string', z.coerce.string(), true],
    ['coerced number', z.coerce.number(), false],
    ['preprocess', z.preprocess(String, z.string()), true],
    ['nullable', z.string().nullable(), false],
    ['union', z.union([z.string(), z.undefined()]), true],
    ['union of what is there', z.union([z.string(), z.int()]), false],
    ['literal', z.literal('a'), false],
    ['literal or nothing', z.literal(['a', undefined]), true],
    ['pipe', z.string().transform(Number), false],
    ['array', z.array(z.string()), false],
    ['lazy', z.lazy(() => z.string()), true],
  ])('is known to be optional or not: %s', (_name, schema, mayBeAbsent) => {
    expect(read(schema).mayBeAbsent).toBe(mayBeAbsent);
    if (schema.safeParse(undefined).success) expect(mayBeAbsent).toBe(true);
  });
});

/** What another library might say. */
function foreign(document: unknown, vendor = 'other'): object {
  const input = (): unknown => {
    if (document instanceof Error) throw document;
    return document;
  };
  return { '~standard': { version: 1, vendor, validate: () => ({}), jsonSchema: { input, output: input } } };
}

describe('a schema of another library', () => {
  it('is told, and is not what arguments are held to', () => {
    const { schema, isExact, mayBeAbsent } = read(foreign({ type: 'object', properties: { a: { type: 'string' } } }));
    expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect([isExact, mayBeAbsent]).toEqual([false, true]);
  });

  it.each([
    ['says nothing', mini.object({ a: mini.string() }), 'zod, which tells no JSON Schema'],
    ['throws', foreign(new Error('no target of that name')), 'other, which cannot tell .*no target of that name'],
    ['is no object', foreign(null), 'other, which tells no JSON Schema'],
  ])('is left open where it %s', (_name, schema, why) => {
    const { gaps, ...reading } = read(schema);
    expect(reading).toMatchObject({ schema: {}, mayBeAbsent: true, definitions: {} });
    expect(gaps).toEqual([{ at: 'NoteDto', why: expect.stringMatching(why) }]);
  });

  it('is taken over without what would refuse more, or cannot be carried', () => {
    const { schema, gaps } = read(
      foreign({
        $id: 'https://example.com/note',
        type: 'object',
        properties: {
          pattern: { type: 'string', pattern: '^(?<!a)[\\w-.]' },
          step: { type: 'number', multipleOf: 0.01, 'x-unit': 'EUR' },
          five: { type: 'integer', multipleOf: 5 },
          not: { not: { type: 'string', pattern: '[\\w-.]' } },
          never: false,
          any: true,
          outside: { $ref: 'https://example.com/other' },
          nowhere: { $ref: '#/$defs/none' },
          inside: { $ref: '#/definitions/in~1side' },
          condition: { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } },
          either: { oneOf: [{ const: 1 }, { const: 2 }], anyOf: [{ const: 2 }] },
          pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
        },
        definitions: { 'in/side': { type: 'null' } },
      }),
    );
    expect(schema.properties).toEqual({
      pattern: { type: 'string' },
      step: { type: 'number' },
      five: { type: 'integer', multipleOf: 5 },
      not: {},
      never: { not: {} },
      any: {},
      outside: {},
      nowhere: {},
      inside: { $ref: '#/$defs/in_side' },
      condition: { type: 'object' },
      either: { anyOf: [{ const: 1 }, { const: 2 }], allOf: [{ anyOf: [{ const: 2 }] }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    });
    expect(schema).not.toHaveProperty('$id');
    expect([...new Set(gaps.map(({ at }) => at))]).toEqual([
      'NoteDto.pattern',
      'NoteDto.step',
      'NoteDto.not',
      'NoteDto.outside',
      'NoteDto.nowhere',
      'NoteDto.condition',
    ]);
  });

  it('cannot reach into objects by the names of its properties', () => {
    const document = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"$ref":"#/$defs/__proto__"}}}',
    ) as object;
    const { schema } = read(foreign(document));
    expect(Object.keys(schema.properties ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(schema.properties)).toBe(Object.prototype);
  });
});
