import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { readStandardSchema, SchemaContext, standardSchemaOf } from '../../lib/operations/schema/index.js';
import { VALUE_POOL } from './oracle/value-pool.js';
import { ZOD_CASES } from './oracle/zod-cases.js';

function read(schema: z.ZodType) {
  const context = new SchemaContext();
  const standard = standardSchemaOf(schema);
  if (standard === undefined) throw new Error('no Standard Schema');
  const reading = readStandardSchema(standard, { context, name: 'Root', placeOf: (path) => `Root ${path}`.trim() });
  const document = { ...reading.schema, $defs: context.definitions };
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false, validateFormats: false });
  return { reading, document, validate: ajv.compile(document), gaps: context.gaps };
}

/** What a coerced value is taken from beside the kind that is told. */
function isOfOtherKind(value: unknown, type: unknown): boolean {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return kind !== (type === 'integer' ? 'number' : type);
}

describe('the schema of a zod schema and zod itself', () => {
  it.each(ZOD_CASES)('agree on values for: $name', ({ schema, values = [], isCoerced, looser: reason, isReported }) => {
    const { document, validate, gaps } = read(schema);
    const judged = [...VALUE_POOL, ...values].map((value) => ({
      value,
      byZod: schema.safeParse(structuredClone(value)).success,
      bySchema: validate(value),
    }));
    const stricter = judged.filter(({ byZod, bySchema }) => byZod && !bySchema);
    expect(stricter.filter(({ value }) => !isCoerced || !isOfOtherKind(value, document.type ?? 'string'))).toEqual([]);
    const looser = judged.filter(({ byZod, bySchema }) => !byZod && bySchema).map(({ value }) => value);
    if (reason === undefined) expect(looser).toEqual([]);
    else expect(looser).not.toEqual([]);
    expect(gaps.length > 0).toBe(isReported ?? reason === 'reported');
  });
});
