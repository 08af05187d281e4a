import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
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
