import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../common/index.js';
import { dropOptionalNulls } from './drop-optional-nulls.js';

const closed = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const CIRCLE = closed({ kind: { const: 'circle' }, radius: { type: 'number' }, name: { type: 'string' } }, ['kind']);
const SQUARE = closed({ kind: { enum: ['square'] }, side: { type: 'number' }, name: { type: ['string', 'null'] } }, [
  'kind',
]);

const SCHEMA: JsonSchema = {
  ...closed(
    {
      required: { type: 'string' },
      optional: { type: 'integer' },
      nullable: { type: ['integer', 'null'] },
      open: {},
      line: { $ref: '#/$defs/Line' },
      lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
      tree: { $ref: '#/$defs/Tree' },
      shape: { anyOf: [CIRCLE, SQUARE] },
      map: { type: 'object', additionalProperties: { $ref: '#/$defs/Line' } },
      texts: { type: 'object', additionalProperties: { type: 'string' } },
      both: { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { required: ['b'] }] },
    },
    ['required'],
  ),
  $defs: {
    Line: closed({ sku: { type: 'integer' }, note: { type: 'string' } }, ['sku']),
    Tree: closed({ name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } }),
    Loop: { $ref: '#/$defs/Loop' },
  },
};

const drop = (args: Record<string, unknown>, nullMeansAbsent = false): unknown =>
  dropOptionalNulls(args, { schema: SCHEMA, nullMeansAbsent });

describe('a null of an argument', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['an optional one', { optional: null }, {}],
    ['one behind a reference', { line: { sku: 1, note: null } }, { line: { sku: 1 } }],
    ['one in a list', { lines: [{ sku: 1, note: null }, { sku: 2 }] }, { lines: [{ sku: 1 }, { sku: 2 }] }],
    [
      'one of a recursive value',
      { tree: { name: null, children: [{ name: 'x', children: null }] } },
      { tree: { children: [{ name: 'x' }] } },
    ],
    ['one in a map', { map: { a: { sku: 1, note: null } } }, { map: { a: { sku: 1 } } }],
    ['one of what holds together', { both: { a: null, b: 1 } }, { both: { b: 1 } }],
    [
      'one of the alternative that the keys tell',
      { shape: { kind: 'circle', radius: null, name: null } },
      { shape: { kind: 'circle' } },
    ],
  ])('leaves out %s', (_what, args, expected) => {
    expect(drop(args)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a required property', { required: null }],
    ['a property that takes it', { nullable: null }],
    ['a property that takes anything', { open: null }],
    ['an unknown property', { other: null }],
    ['a list', { lines: [null] }],
    ['a map', { texts: { a: null } }],
    ['an inherited name', { constructor: null }],
    ['a value that no alternative describes', { line: { sku: 1, other: 2, note: null } }],
    ['an alternative that takes it', { shape: { kind: 'square', name: null } }],
    ['alternatives that differ about it', { shape: { kind: null, name: null } }],
    ['a value of another type', { line: [null] }],
  ])('stays in %s', (_what, args) => {
    expect(drop(args)).toBe(args);
  });

  it('leaves out what takes it too, where null means that', () => {
    const args = {
      required: null,
      nullable: null,
      open: null,
      shape: { kind: 'square', name: null },
      texts: { a: null },
    };
    expect(drop(args, true)).toEqual({ required: null, shape: { kind: 'square' }, texts: { a: null } });
  });

  it('is dropped from a copy: what was given stays as it is', () => {
    const args = Object.freeze({ line: Object.freeze({ sku: 1, note: null }), optional: 1 });
    expect(drop(args)).toEqual({ line: { sku: 1 }, optional: 1 });
    expect(args).toEqual({ line: { sku: 1, note: null }, optional: 1 });
  });

  it('is looked for in values of any depth and in endless schemas, and ends', () => {
    let deep: Record<string, unknown> = { name: null };
    for (let depth = 0; depth < 5_000; depth++) deep = { children: [deep] };
    expect(() => drop({ tree: deep })).not.toThrow();
    const endless = { ...SCHEMA, properties: { loop: { $ref: '#/$defs/Loop' } } };
    const args = { loop: { a: null } };
    expect(dropOptionalNulls(args, { schema: endless, nullMeansAbsent: true })).toBe(args);
  });
});
