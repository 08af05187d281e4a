import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'class-transformer';
import { IsArray, IsInt, ValidateNested } from 'class-validator';
import { schemaOfClass, SchemaContext } from '../../lib/operations/schema/index.js';

class Line {
  @IsInt()
  sku!: number;
}

class Order {
  @ValidateNested({ each: true })
  untyped!: Line[];

  @ValidateNested({ each: true })
  @Type(() => Line)
  typed!: Line[];

  @IsArray()
  bare!: string[];
}

// https://github.com/epiphone/class-validator-jsonschema/issues/7: `items` led to a definition that did not exist.
describe('a nested array without @Type', () => {
  const context = new SchemaContext();
  const schema = schemaOfClass(Order, context);

  it('is an array of anything, never a reference that leads nowhere', () => {
    expect(schema.properties).toEqual({
      untyped: { type: 'array', items: {} },
      typed: { type: 'array', items: { $ref: '#/$defs/Line' } },
      bare: { type: 'array', items: {} },
    });
    expect(Object.keys(context.definitions)).toEqual(['Line']);
  });

  it('is reported with class and property, and what has a type is not', () => {
    expect(context.gaps.map((gap) => gap.at)).toEqual(['Order.untyped', 'Order.bare']);
    expect(context.gaps[0]?.why).toContain('@Type()');
  });

  it('compiles in strict mode, and the typed array is looked into', () => {
    const validate = new Ajv2020({ strict: true }).compile({ ...schema, $defs: context.definitions });
    expect(validate({ untyped: [1], typed: [{ sku: 1 }], bare: ['a'] })).toBe(true);
    expect(validate({ untyped: [1], typed: [{ sku: 'x' }], bare: ['a'] })).toBe(false);
  });
});
