import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsNumberString,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { readFieldsOf } from './read-model.js';

enum Level {
  Low = 1,
  High = 2,
}

class Inner {
  @IsString() name!: string;
}

class EverythingRead {
  @IsUUID() uuid!: string;
  @IsString() @Length(1, 5) text!: string;
  @IsEmail() email!: string;
  @IsOptional() @IsString() maybe?: string | null;
  @ValidateIf((_object, value) => value !== null) @IsInt() nullableInt!: number | null;
  @IsInt() int!: number;
  @IsNumber() @IsPositive() number!: number;
  @IsNumberString() numeral!: string;
  @IsBoolean() boolean!: boolean;
  @IsEnum(Level) level!: Level;
  @IsOptional() @IsEnum(Level) maybeLevel?: Level;
  @IsIn(['a', 'b']) choice!: string;
  @Equals('fixed') fixed!: string;
  @IsDate() date!: Date;
  @Type(() => Date) transformed!: Date;
  @IsDateString() dateString!: string;
  @IsISO8601() iso!: string;
  @Allow() allowed!: string;
  @Allow() allowedNumber!: number;
  @Allow() big!: bigint;
  @Expose() exposed!: boolean;
  @Transform(({ value }) => value as string) @IsString() changed!: string;
  @IsArray() list!: string[];
  @IsString({ each: true }) texts!: string[];
  @IsEnum(Level, { each: true }) levels!: Level[];
  @IsObject() object!: object;
  @ValidateNested() @Type(() => Inner) inner!: Inner;
  @Allow() anything!: unknown;
  @Exclude() @IsString() hidden!: string;
  @Exclude({ toClassOnly: true }) @IsString() onlyOut!: string;
}

const fields = new Map(readFieldsOf(EverythingRead).map((field) => [field.name, field]));

describe('readFieldsOf', () => {
  it.each([
    ['uuid', 'uuid'],
    ['text', 'string'],
    ['email', 'string'],
    ['maybe', 'string'],
    ['nullableInt', 'int'],
    ['int', 'int'],
    ['number', 'number'],
    ['numeral', 'string'],
    ['boolean', 'boolean'],
    ['level', 'enum'],
    ['maybeLevel', 'enum'],
    ['choice', 'enum'],
    ['fixed', 'enum'],
    ['date', 'datetime'],
    ['transformed', 'datetime'],
    ['dateString', 'datetime'],
    ['iso', 'datetime'],
    ['allowed', 'string'],
    ['allowedNumber', 'number'],
    ['big', 'bigint'],
    ['exposed', 'boolean'],
    ['changed', 'string'],
    ['onlyOut', 'string'],
  ])('tells the kind of %s: %s', (name, kind) => {
    expect(fields.get(name)).toMatchObject({ kind });
  });

  it.each(['list', 'texts', 'levels', 'object', 'inner', 'anything'])('reads %s, and cannot tell its kind', (name) => {
    expect(fields.get(name)).toEqual({ name, kind: undefined, enumValues: [] });
  });

  it('tells the values of enums', () => {
    expect(fields.get('level')?.enumValues).toEqual([1, 2]);
    expect(fields.get('maybeLevel')?.enumValues).toEqual([1, 2]);
    expect(fields.get('choice')?.enumValues).toEqual(['a', 'b']);
    expect(fields.get('fixed')?.enumValues).toEqual(['fixed']);
  });

  it('knows nothing of what is excluded from answers', () => {
    expect(fields.has('hidden')).toBe(false);
  });
});
