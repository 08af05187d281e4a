import { describe, expect, it } from '@jest/globals';
import type { Type as ClassType } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIBAN,
  IsNumber,
  IsObject,
  ValidateIf,
  IsNotEmpty,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { schemaOfClass, SchemaContext } from './index.js';

enum Colour {
  Red = 'red',
  Green = 'green',
}

enum Level {
  Low,
  High = 5,
}

class Line {
  @IsInt()
  @IsPositive()
  quantity!: number;

  @IsString()
  sku!: string;
}

class Order {
  @IsUUID()
  id!: string;

  @Length(3, 10)
  @Matches(/^[a-z]+$/)
  code!: string;

  @IsInt()
  @Min(1)
  @Max(9)
  priority!: number;

  @IsOptional()
  @IsBoolean()
  urgent?: boolean;

  @IsEnum(Colour)
  colour!: Colour;

  @IsEnum(Level)
  level!: Level;

  @IsIn(['a', null])
  choice!: string | null;

  @IsEmail()
  email!: string;

  @IsDateString()
  due!: string;

  @IsDate()
  @Type(() => Date)
  made!: Date;

  @IsNotEmpty()
  title!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @IsString({ each: true })
  tags!: string[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
}

describe('schemaOfClass', () => {
  it('writes the validators of each property as keywords, in the order of declaration', () => {
    const context = new SchemaContext();
    const schema = schemaOfClass(Order, context);
    const dates = [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ];
    expect(schema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        id: { type: 'string', format: 'uuid' },
        code: { type: 'string', minLength: 3, maxLength: 10, pattern: '^[a-z]+$' },
        priority: { type: 'integer', minimum: 1, maximum: 9 },
        urgent: { type: ['boolean', 'null'] },
        colour: { type: 'string', enum: ['red', 'green'] },
        level: { type: 'integer', enum: [0, 5] },
        choice: { type: ['string', 'null'], enum: ['a', null] },
        email: { type: 'string', format: 'email' },
        due: { anyOf: dates },
        made: { anyOf: dates },
        title: { type: 'string', minLength: 1 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
      },
      required: [
        'id',
        'code',
        'priority',
        'colour',
        'level',
        'choice',
        'email',
        'due',
        'made',
        'title',
        'tags',
        'lines',
      ],
    });
    expect(Object.keys(schema.properties ?? {})[0]).toBe('id');
    expect(context.definitions).toEqual({
      Line: {
        type: 'object',
        additionalProperties: false,
        properties: { quantity: { type: 'integer', exclusiveMinimum: 0 }, sku: { type: 'string' } },
        required: ['quantity', 'sku'],
      },
    });
    expect(context.gaps).toEqual([]);
  });
});

class Identifier {}

const read = (type: ClassType<unknown>) => {
  const context = new SchemaContext();
  const schema = schemaOfClass(type, context);
  return { schema, context, gaps: context.gaps.map((gap) => gap.at) };
};

describe('what JSON Schema cannot say', () => {
  class Lossy {
    @Matches(/^ab$/i)
    caseless!: string;

    @IsNumber({ maxDecimalPlaces: 2 })
    money!: number;

    @IsIBAN()
    iban!: string;

    @Transform(({ value }) => String(value).trim())
    @Length(1, 3)
    trimmed!: string;

    @ValidateIf((object: Lossy) => object.iban !== '')
    @IsInt()
    @Min(1)
    sometimes?: number;

    @IsString()
    plain!: string;
  }
  const { schema, gaps } = read(Lossy);

  it('is left out of the keywords and told in words', () => {
    expect(schema.properties).toEqual({
      caseless: { type: 'string', description: 'Must match /^ab$/i.' },
      money: { type: 'number', description: 'At most 2 decimal places.' },
      iban: { type: 'string', description: 'An IBAN.' },
      trimmed: {
        description:
          'The application transforms the value before it checks it; what comes out must fit ' +
          '{"type":"string","minLength":1,"maxLength":3}.',
      },
      sometimes: {
        description: 'Checked under a condition of the application; then it must fit {"type":"integer","minimum":1}.',
      },
      plain: { type: 'string' },
    });
    expect(schema.required).toEqual(['caseless', 'money', 'iban', 'trimmed', 'plain']);
  });

  it('is reported with class and property', () => {
    expect(gaps).toEqual(['Lossy.caseless', 'Lossy.money', 'Lossy.iban', 'Lossy.trimmed', 'Lossy.sometimes']);
  });
});

describe('what decides beside the validators', () => {
  class Page {
    @IsInt()
    limit = 10;

    @IsOptional()
    @IsString()
    cursor: string | null = null;

    @Expose()
    @IsInt()
    lost = 5;

    @IsString()
    id = String(Math.random());
  }

  it('is an initializer: what has one may be absent, unless class-transformer overwrites it', () => {
    const { schema } = read(Page);
    expect(schema.required).toEqual(['lost']);
    expect(schema.properties).toEqual({
      limit: { type: 'integer', default: 10 },
      cursor: { type: ['string', 'null'], default: null },
      lost: { type: 'integer' },
      id: { type: 'string' },
    });
  });

  class Named {
    @Expose({ name: 'first_name' })
    @IsString()
    firstName!: string;

    @Exclude()
    @IsOptional()
    @IsString()
    secret?: string;
  }

  it('is the name that JSON has, and what class-transformer drops has none', () => {
    const { schema } = read(Named);
    expect(schema.properties).toEqual({ first_name: { type: 'string' } });
    expect(schema.required).toEqual(['first_name']);
  });

  class Base {
    @IsString()
    id!: string;

    @IsOptional()
    @IsString()
    note?: string;
  }

  class Derived extends Base {
    @IsInt()
    count!: number;

    @Length(2, 4)
    override note!: string;
  }

  it("is what is inherited: an ancestor's properties come first, and keep conditions that are not overridden", () => {
    const { schema } = read(Derived);
    expect(Object.entries(schema.properties ?? {})).toEqual([
      ['id', { type: 'string' }],
      ['note', { type: ['string', 'null'], minLength: 2, maxLength: 4 }],
      ['count', { type: 'integer' }],
    ]);
    expect(schema.required).toEqual(['id', 'count']);
  });

  class Objected {
    @IsNotEmpty()
    id!: Identifier;
  }

  it('is no class that stands for a scalar', () => {
    expect(read(Objected).schema.properties).toEqual({ id: { not: { enum: ['', null] } } });
  });
});

describe('definitions', () => {
  it('keep two classes of one name apart', () => {
    const first = (() => {
      class Item {
        @IsInt()
        count!: number;
      }
      return Item;
    })();
    const second = (() => {
      class Item {
        @IsString()
        text!: string;
      }
      return Item;
    })();
    class Holder {
      @ValidateNested()
      @Type(() => first)
      one!: unknown;

      @ValidateNested()
      @Type(() => second)
      other!: unknown;
    }
    const { schema, context } = read(Holder);
    expect(schema.properties).toEqual({ one: { $ref: '#/$defs/Item' }, other: { $ref: '#/$defs/Item_2' } });
    expect(Object.values(context.definitions).map((each) => each.required)).toEqual([['count'], ['text']]);
  });

  class Shape {
    @IsString()
    label!: string;
  }

  class Circle extends Shape {
    @IsInt()
    radius!: number;
  }

  class Drawing {
    @ValidateNested()
    @Type(() => Shape, { discriminator: { property: 'kind', subTypes: [{ value: Circle, name: 'circle' }] } })
    shape!: Shape;
  }

  it('tell sub-types by the property that class-transformer tells them by', () => {
    const { schema, context } = read(Drawing);
    expect(schema.properties).toEqual({ shape: { $ref: '#/$defs/Circle' } });
    expect(context.definitions['Circle']).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { kind: { type: 'string', const: 'circle' }, label: { type: 'string' }, radius: { type: 'integer' } },
      required: ['kind', 'label', 'radius'],
    });
  });

  class Maps {
    @ValidateNested({ each: true })
    @Type(() => Circle)
    circles!: Map<string, Circle>;

    @IsObject()
    free!: Record<string, number>;
  }

  it('stand for the values of maps', () => {
    const { schema, gaps } = read(Maps);
    expect(schema.properties).toEqual({
      circles: { type: 'object', additionalProperties: { $ref: '#/$defs/Circle' } },
      free: { type: 'object' },
    });
    expect(gaps).toEqual([]);
  });
});

describe('a class that nothing tells about', () => {
  it('is an open object, and reported', () => {
    class Bare {}
    const { schema, gaps } = read(Bare);
    expect(schema).toEqual({ type: 'object' });
    expect(gaps).toEqual(['Bare']);
  });

  it('is told by its declared types where class-transformer alone knows it, and reported', () => {
    class Exposed {
      @Expose()
      name!: string;
    }
    const { schema, gaps } = read(Exposed);
    expect(schema.properties).toEqual({ name: { type: ['string', 'null'] } });
    expect(gaps).toEqual(['Exposed']);
  });
});
