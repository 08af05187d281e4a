import {
  DefaultValuePipe,
  Injectable,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  ValidationPipe,
  type PipeTransform,
} from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import { schemaOfParameter, SchemaContext, type ParameterSchema } from './index.js';

enum Level {
  Low,
  High,
}

enum Colour {
  Red = 'red',
}

class Item {
  @IsInt()
  count!: number;
}

class Bare {}

@Injectable()
class TrimPipe implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

class EvenPipe extends ParseIntPipe {
  override async transform(): Promise<number> {
    return 2;
  }
}

class QuietIntPipe extends ParseIntPipe {
  constructor() {
    super({ optional: true });
  }
}

const AT = 'NotesController.list, parameter 0';

function read(designType: unknown, ...pipes: unknown[]): ParameterSchema & { gaps: readonly string[] } {
  const context = new SchemaContext();
  const schema = schemaOfParameter({ designType, pipes, at: AT }, context);
  return { ...schema, gaps: context.gaps.filter((gap) => gap.at === AT).map((gap) => gap.why) };
}

const DATES = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

describe('schemaOfParameter', () => {
  it.each([
    ['ParseIntPipe', ParseIntPipe, { type: 'integer' }],
    ['new ParseIntPipe()', new ParseIntPipe(), { type: 'integer' }],
    ['ParseFloatPipe', ParseFloatPipe, { type: 'number' }],
    ['ParseBoolPipe', ParseBoolPipe, { type: 'boolean' }],
    ['ParseUUIDPipe', ParseUUIDPipe, { type: 'string', format: 'uuid' }],
    [
      'ParseUUIDPipe of a version',
      new ParseUUIDPipe({ version: '4' }),
      { type: 'string', format: 'uuid', description: 'UUID version 4.' },
    ],
    ['ParseEnumPipe', new ParseEnumPipe(Colour), { type: 'string', enum: ['red'] }],
    ['ParseEnumPipe of numbers', new ParseEnumPipe(Level), { type: 'integer', enum: [0, 1] }],
    ['ParseDatePipe', ParseDatePipe, DATES],
    ['ParseArrayPipe', ParseArrayPipe, { type: 'array', items: {} }],
    ['ParseArrayPipe of numbers', new ParseArrayPipe({ items: Number }), { type: 'array', items: { type: 'number' } }],
    [
      'ParseArrayPipe of a class',
      new ParseArrayPipe({ items: Item }),
      { type: 'array', items: { $ref: '#/$defs/Item' } },
    ],
  ])('reads %s: required, of the parsed type', (_name, pipe, schema) => {
    expect(read(Object, pipe)).toEqual({ schema, required: true, hasUnknownPipe: false, gaps: [] });
  });

  it.each([
    new ParseIntPipe({ optional: true }),
    new ParseFloatPipe({ optional: true }),
    new ParseBoolPipe({ optional: true }),
    new ParseUUIDPipe({ optional: true }),
    new ParseEnumPipe(Colour, { optional: true }),
    new ParseArrayPipe({ optional: true }),
    new ParseDatePipe({ optional: true }),
    new ParseDatePipe({ default: () => new Date(0) }),
  ])('does not require what an optional pipe lets through', (pipe) => {
    expect(read(Object, pipe).required).toBe(false);
  });

  it('takes the default of a DefaultValuePipe that comes before the parser', () => {
    expect(read(Number, new DefaultValuePipe(10), ParseIntPipe)).toMatchObject({
      schema: { type: 'integer', default: 10 },
      required: false,
    });
  });

  it('requires the value where the default comes too late', () => {
    expect(read(Number, ParseIntPipe, new DefaultValuePipe(10))).toMatchObject({
      schema: { type: 'integer' },
      required: true,
    });
  });

  it('leaves open what a pipe of the application reads, and says so', () => {
    const expected = { schema: {}, required: false, hasUnknownPipe: true };
    expect(read(String, TrimPipe)).toMatchObject(expected);
    expect(read(String, new TrimPipe(), ParseIntPipe)).toMatchObject(expected);
    expect(read(String, TrimPipe).gaps).toEqual([expect.stringContaining('TrimPipe')]);
  });

  it("keeps what Nest's own pipe says before a pipe of the application", () => {
    expect(read(Number, ParseIntPipe, TrimPipe)).toMatchObject({
      schema: { type: 'integer' },
      required: true,
      hasUnknownPipe: true,
    });
  });

  it('knows a subclass of a pipe by whether it changes what the pipe does', () => {
    expect(read(Number, new QuietIntPipe())).toMatchObject({ schema: { type: 'integer' }, hasUnknownPipe: false });
    expect(read(Number, EvenPipe)).toMatchObject({ schema: {}, hasUnknownPipe: true });
  });

  it.each([
    [String, { type: 'string' }],
    [Number, { type: 'number' }],
    [Boolean, { type: 'boolean' }],
    [Array, { type: 'array', items: {} }],
    [Date, DATES],
    [Item, { $ref: '#/$defs/Item' }],
  ])('asks without a pipe for the type that TypeScript emitted: %p', (designType, schema) => {
    expect(read(designType)).toEqual({ schema, required: false, hasUnknownPipe: false, gaps: [] });
    expect(read(designType, new ValidationPipe())).toMatchObject({ schema });
  });

  it.each([Object, Function, undefined, Colour])(
    'leaves a type open that the compiler erased, and says so',
    (designType) => {
      const { schema, gaps } = read(designType);
      expect(schema).toEqual({});
      expect(gaps).toHaveLength(1);
    },
  );

  it('leaves a class open that has no validators, and says so', () => {
    const { schema, gaps } = read(Bare);
    expect(schema).toEqual({ type: 'object' });
    expect(gaps).toEqual([expect.stringContaining('Bare')]);
  });
});
