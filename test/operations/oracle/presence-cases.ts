import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Length,
  Min,
  NotEquals,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { oracleCase, type OracleCase } from './oracle-case.js';

class Optionals {
  @IsOptional() @IsString() text?: string;
  @IsOptional() @IsInt() @Min(1) number?: number;
  @IsOptional() @IsIn(['a', 'b']) choice?: string;
  @IsOptional() @IsNotEmpty() notEmpty?: string;
  @IsOptional() @NotEquals(null) notNull?: unknown;
  @IsOptional() bare?: string;
  @IsOptional() @IsDefined() defined?: string;
  @IsOptional() @IsString({ each: true }) list?: string[];
}

class Conditions {
  @ValidateIf((_object, value) => value !== undefined) @IsString() absentOnly?: string;
  @ValidateIf((_object, value) => value !== null) @IsString() nullOnly!: string | null;
  @ValidateIf((_object, value) => value !== '') @IsEmail() @Length(5, 30) blankOnly!: string;
  @ValidateIf((object: Conditions) => Boolean(object.truthyOnly)) @Length(2, 4) truthyOnly?: string;
  @ValidateIf(() => true) @IsString() always!: string;
  @ValidateIf(() => false) @IsString() never?: string;
}

class Siblings {
  @IsIn(['card', 'cash']) kind!: string;
  @ValidateIf((object: Siblings) => object.kind === 'card') @IsString() @Length(4, 8) number?: string;
  @ValidateIf((object: Siblings) => object.kind === 'cash') @IsInt() notes?: number;
}

class Declared {
  @Allow() text!: string;
  @Allow() number!: number;
  @Allow() flag!: boolean;
  @Allow() list!: string[];
  @Allow() any!: unknown;
  @Allow() date!: Date;
}

class Defaults {
  @IsInt() limit = 10;
  @IsString() text = 'a';
  @IsOptional() @IsString() nothing: string | null = null;
  @IsString() required: string | null = null;
  @IsArray() list: string[] = [];
  @Expose() @IsInt() lost = 5;
  @IsString() random = String(Math.random());
}

class Contact {
  @IsString() @Length(1, 5) name!: string;
  @IsEmail() email!: string;
  @IsString({ each: true }) tags!: string[];
  @ValidateNested({ each: true }) @Type(() => Phone) phones!: Phone[];
}

class Phone {
  @IsString() number!: string;
}

class PartialContact extends PartialType(Contact) {}
class PartialWithoutNull extends PartialType(Contact, { skipNullProperties: false }) {}
class PickedContact extends PickType(Contact, ['name', 'tags'] as const) {}
class OmittedContact extends OmitType(Contact, ['email', 'phones'] as const) {}
class Tagged {
  @IsInt() rank!: number;
}
class Intersected extends IntersectionType(PickedContact, Tagged) {
  @IsString() own!: string;
}
class PartialOfPartial extends PartialType(Intersected) {}

class Animal {
  @IsString() name!: string;
  @IsInt() legs!: number;
  @IsOptional() @IsString() sound?: string;
}

class Bird extends Animal {
  @IsOptional() override legs!: number;
  @IsString() @Length(3, 5) override sound!: string;
  @IsString() plumage!: string;
}

class Penguin extends Bird {
  @Length(2, 3) override name!: string;
  @IsIn(['black', 'white']) override plumage!: string;
}

class Inherited extends Animal {}

class Renamed {
  @Expose({ name: 'first_name' }) @IsString() firstName!: string;
  @Expose({ name: 'out', toPlainOnly: true }) @IsString() onlyOut!: string;
  @Expose({ name: 'in', toClassOnly: true }) @IsString() onlyIn!: string;
  @Expose() @IsString() same!: string;
}

class Hidden {
  @IsString() open!: string;
  @Exclude() @IsOptional() @IsString() secret?: string;
  @Exclude({ toPlainOnly: true }) @IsString() password!: string;
  @Exclude({ toClassOnly: true }) @IsOptional() @IsString() computed?: string;
  @Expose({ groups: ['admin'] }) @IsOptional() @IsString() forAdmins?: string;
  get derived(): string {
    return 'x';
  }
}

@Exclude()
class Closed {
  @Expose() @IsString() open!: string;
  @IsOptional() @IsString() shut?: string;
}

class Transformed {
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value) as unknown)
  @Length(1, 3)
  trimmed!: string;
  @Transform(({ value }) => Number(value)) @IsInt() counted!: number;
  @Transform(({ value }) => value as unknown, { toPlainOnly: true }) @IsString() outward!: string;
  @Expose() @Transform(({ value }) => (value as unknown) ?? 'filled') @IsString() filled!: string;
  @IsOptional() @Transform(({ value }) => [value].flat() as unknown) @IsString({ each: true }) listed?: string[];
}

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

class TransformedAndTyped {
  @Type(() => String) @Transform(trimmed) @Length(1, 3) text!: string;
  @IsOptional() @Type(() => String) @Transform(trimmed) @Length(1, 3) optional?: string;
  @Type(() => Number) @Transform(({ value }) => (value as number) + 1) @IsInt() @Min(2) count!: number;
  @Type(() => String) @Transform(({ value }) => [value].flat() as unknown) @IsString({ each: true }) list!: string[];
  @Type(() => String)
  @Transform(trimmed)
  @ValidateIf((it: { count: number }) => it.count > 2)
  @Length(1, 3)
  depends!: string;
}

export const PRESENCE_CASES: readonly OracleCase[] = [
  oracleCase(
    Optionals,
    { text: 'a' },
    { stricter: { notEmpty: ['declared'], bare: ['declared'], defined: ['declared'], list: ['declared'] } },
  ),
  oracleCase(
    Conditions,
    { nullOnly: null, blankOnly: '', always: 'a' },
    {
      values: { blankOnly: ['a@example.com'], truthyOnly: ['', 'ab'] },
      stricter: { truthyOnly: ['declared', 'variationSelector'] },
      looser: { blankOnly: ['format'], truthyOnly: ['variationSelector'] },
    },
  ),
  oracleCase(Siblings, { kind: 'card', number: '1234', notes: 1 }, { values: { kind: ['cash'], number: ['12345'] } }),
  oracleCase(
    Declared,
    {},
    {
      stricter: {
        text: ['declared'],
        number: ['declared'],
        flag: ['declared'],
        list: ['declared'],
        date: ['declared'],
      },
    },
  ),
  oracleCase(Defaults, { lost: 1, required: 'a' }),
  oracleCase(
    Contact,
    { name: 'abc', email: 'a@example.com', tags: ['a'], phones: [{ number: '1' }] },
    {
      stricter: { name: ['variationSelector'], tags: ['declared'], phones: ['nestedList'] },
      looser: { email: ['format'] },
    },
  ),
  oracleCase(
    PartialContact,
    {},
    {
      values: { phones: [[{ number: '1' }], { number: '1' }, [{}]] },
      stricter: { name: ['variationSelector'], tags: ['declared'], phones: ['nestedList', 'declared'] },
      looser: { email: ['format'] },
    },
  ),
  oracleCase(
    PartialWithoutNull,
    {},
    {
      stricter: { name: ['variationSelector'], tags: ['declared'], phones: ['nestedList'] },
      looser: { email: ['format'] },
    },
  ),
  oracleCase(
    PickedContact,
    { name: 'abc', tags: [] },
    { stricter: { name: ['variationSelector'], tags: ['declared'] } },
  ),
  oracleCase(
    OmittedContact,
    { name: 'abc', tags: [] },
    { stricter: { name: ['variationSelector'], tags: ['declared'] } },
  ),
  oracleCase(
    Intersected,
    { name: 'abc', tags: [], rank: 1, own: 'a' },
    { stricter: { name: ['variationSelector'], tags: ['declared'] } },
  ),
  oracleCase(PartialOfPartial, {}, { stricter: { name: ['variationSelector'], tags: ['declared'] } }),
  oracleCase(Inherited, { name: 'a', legs: 4 }),
  oracleCase(Bird, { name: 'a', sound: 'abc', plumage: 'red' }, { stricter: { sound: ['variationSelector'] } }),
  oracleCase(
    Penguin,
    { name: 'ab', sound: 'abc', plumage: 'black' },
    {
      values: { plumage: ['white', 'red'] },
      stricter: { sound: ['variationSelector'] },
      looser: { name: ['variationSelector'] },
    },
  ),
  oracleCase(Renamed, { first_name: 'a', onlyOut: 'b', in: 'c', same: 'd' }),
  oracleCase(Hidden, { open: 'a', password: 'b' }, { dropped: ['secret', 'computed', 'forAdmins', 'derived'] }),
  oracleCase(Closed, { open: 'a' }, { dropped: ['shut'] }),
  oracleCase(
    TransformedAndTyped,
    { text: ' a ', count: 1, list: 'a', depends: 'a' },
    {
      values: { text: ['      a', 'abcd'], count: [0, 1] },
      stricter: { text: ['declared'], optional: ['declared'], count: ['declared'] },
    },
  ),
  oracleCase(Transformed, { trimmed: ' a ', counted: '5', outward: 'a' }, { values: { trimmed: ['      a', 'abcd'] } }),
];
