import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from '@jest/globals';
import type { JsonSchema } from '../../common/index.js';
import { acceptsNull } from './accepts-null.js';

const $defs: Record<string, JsonSchema> = {
  Text: { type: 'string' },
  Maybe: { type: ['string', 'null'] },
  List: { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#/$defs/List' } }] },
};

const SCHEMAS: readonly JsonSchema[] = [
  {},
  { type: 'null' },
  { type: 'string' },
  { type: ['string', 'null'] },
  { minLength: 3 },
  { enum: ['a'] },
  { enum: ['a', null] },
  { type: 'string', enum: ['a', null] },
  { const: null },
  { const: 'a' },
  { $ref: '#/$defs/Text' },
  { $ref: '#/$defs/Maybe' },
  { $ref: '#/$defs/List' },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { anyOf: [{ type: 'string' }, { $ref: '#/$defs/Text' }] },
  { oneOf: [{ type: 'null' }, { enum: [null] }] },
  { oneOf: [{ type: 'null' }, { type: 'string' }] },
  { allOf: [{ type: ['string', 'null'] }, { enum: ['a'] }] },
  { allOf: [{ type: ['string', 'null'] }, { enum: ['a', null] }] },
  { not: { type: 'null' } },
  { not: { enum: ['', null] } },
  { not: { type: 'string' } },
  { if: { type: 'null' }, then: { const: 1 } } as JsonSchema,
  { if: { type: 'null' }, else: { const: 1 } } as JsonSchema,
  { if: { type: 'string' }, then: {}, else: { const: 1 } } as JsonSchema,
];

it.each(SCHEMAS.map((schema) => [JSON.stringify(schema), schema] as const))(
  'tells of null under %s what a validator tells',
  (_text, schema) => {
    const validate = new Ajv2020({ strict: false }).compile({ ...schema, $defs });
    expect(acceptsNull(schema, { $defs })).toBe(validate(null));
  },
);

it('tells it of boolean schemas, and of a definition that is nothing but itself', () => {
  expect([acceptsNull(true, {}), acceptsNull(false, {})]).toEqual([true, false]);
  const endless = { $defs: { Loop: { $ref: '#/$defs/Loop' } } };
  expect(acceptsNull({ $ref: '#/$defs/Loop' }, endless)).toBe(true);
});
