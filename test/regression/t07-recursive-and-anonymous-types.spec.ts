import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'class-transformer';
import { Allow, IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { JsonSchema } from '../../lib/common/index.js';
import { schemaOfClass, SchemaContext } from '../../lib/operations/schema/index.js';

class Tree {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Tree)
  children?: Tree[];
}

class Ping {
  @IsInt()
  ping!: number;

  // `Pong` is not there yet when this line runs: a type annotation would be read too early.
  @IsOptional()
  @ValidateNested()
  @Type(() => Pong)
  pong?: unknown;
}

class Pong {
  @IsOptional()
  @ValidateNested()
  @Type(() => Ping)
  ping?: Ping;
}

class Anonymous {
  @Allow()
  meta: unknown;

  @IsArray()
  list!: { foo: string }[];

  @ValidateNested({ each: true })
  nested!: { foo: string }[];
}

function documentOf(type: new () => object): { document: JsonSchema; context: SchemaContext } {
  const context = new SchemaContext();
  const schema = schemaOfClass(type, context);
  return { document: { ...schema, $defs: { ...context.definitions } }, context };
}

// https://github.com/nestjs/swagger/issues/3388: such types stopped the application, or never came to an end.
describe('classes that contain themselves', () => {
  const ajv = new Ajv2020({ strict: true });

  it('become a definition that refers to itself', () => {
    const { document, context } = documentOf(Tree);
    expect(document.$defs?.['Tree']?.properties?.['children']).toEqual({
      type: ['array', 'null'],
      items: { $ref: '#/$defs/Tree' },
    });
    const validate = ajv.compile(document);
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] })).toBe(true);
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{ name: 3 }] }] })).toBe(false);
    expect(context.gaps).toEqual([]);
  });

  it('may do so through one another', () => {
    const { document } = documentOf(Ping);
    expect(Object.keys(document.$defs ?? {}).sort()).toEqual(['Ping', 'Pong']);
    const validate = ajv.compile(document);
    expect(validate({ ping: 1, pong: { ping: { ping: 2 } } })).toBe(true);
    expect(validate({ ping: 1, pong: { ping: { ping: 'x' } } })).toBe(false);
  });
});

describe('types without a name', () => {
  it('are left open, and reported', () => {
    const { document, context } = documentOf(Anonymous);
    expect(document.properties).toEqual({
      meta: {},
      list: { type: 'array', items: {} },
      nested: { type: 'array', items: {} },
    });
    expect(context.gaps.map((gap) => gap.at)).toEqual(['Anonymous.meta', 'Anonymous.list', 'Anonymous.nested']);
  });
});
