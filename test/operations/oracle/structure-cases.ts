import { Type } from 'class-transformer';
import {
  Allow,
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsEnum,
  IsIn,
  IsInstance,
  IsInt,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
  registerDecorator,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { oracleCase, type OracleCase } from './oracle-case.js';

class Line {
  @IsInt() sku!: number;
  @IsOptional() @IsString() note?: string;
}

class Nested {
  @ValidateNested() @Type(() => Line) line!: Line;
  @IsDefined() @ValidateNested() @Type(() => Line) required!: Line;
  @IsOptional() @ValidateNested() @Type(() => Line) optional?: Line;
  @IsObject() @ValidateNested() @Type(() => Line) object!: Line;
  @IsNotEmptyObject() @ValidateNested() @Type(() => Line) notEmpty!: Line;
}

class NestedLists {
  @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @IsArray() @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => Line) some!: Line[];
  @ValidateNested() @Type(() => Line) withoutEach!: Line[];
  @ValidateNested({ each: true }) @Type(() => Line) oneOrMany!: Line | Line[];
}

class Untyped {
  @ValidateNested({ each: true }) lines!: Line[];
  @ValidateNested() line!: Line;
  @ValidateNested() any!: unknown;
  @IsArray() bare!: string[];
  @Type(() => Line) @IsObject() unchecked!: Line;
  @IsObject() object!: Line;
}

class Tree {
  @IsString() name!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
  @IsOptional() @ValidateNested() @Type(() => Tree) parent?: Tree;
}

class Ping {
  @IsInt() ping!: number;
  @IsOptional() @ValidateNested() @Type(() => Pong) pong?: unknown;
}

class Pong {
  @IsInt() pong!: number;
  @IsOptional() @ValidateNested() @Type(() => Ping) ping?: Ping;
}

class Lists {
  @IsString({ each: true }) strings!: string[];
  @IsArray() @IsString({ each: true }) array!: string[];
  @IsInt({ each: true }) @Min(1, { each: true }) numbers!: number[];
  @IsString({ each: true }) @MinLength(2, { each: true }) @MaxLength(3, { each: true }) lengths!: string[];
  @IsString({ each: true }) oneOrMany!: string | string[];
  @IsIn(['a', 'b'], { each: true }) choices!: string[];
  @IsArray({ each: true }) matrix!: unknown[][];
  @ArrayMinSize(1, { each: true }) rows!: unknown[][];
  @IsNotEmpty({ each: true }) filled!: string[];
  @IsDefined({ each: true }) defined!: unknown[];
}

class ListBounds {
  @ArrayNotEmpty() notEmpty!: string[];
  @ArrayMinSize(1) @ArrayMaxSize(2) bounded!: string[];
  @ArrayUnique() uniqueAny!: unknown[];
  @ArrayUnique() @IsString({ each: true }) uniqueText!: string[];
  @ArrayUnique((value: string) => value.toLowerCase()) @IsString({ each: true }) uniqueCaseless!: string[];
  @ArrayUnique() @ValidateNested({ each: true }) @Type(() => Line) uniqueLines!: Line[];
  @ArrayContains(['a']) containing!: string[];
  @ArrayContains(['a', 'b']) containingBoth!: string[];
  @ArrayNotContains(['a', 1]) without!: unknown[];
}

class ConvertedLists {
  @Type(() => Number) @IsInt({ each: true }) numbers!: number[];
  @Type(() => Number) @IsNumber() number!: number;
  @Type(() => Boolean) @IsBoolean() flag!: boolean;
  @Type(() => String) @IsString() text!: string;
  @Type(() => Date) @ArrayUnique() dates!: Date[];
  @Type(() => Number) @IsOptional() bare?: number;
  @Type(() => Number) @IsArray() bareList!: number[];
}

class Maps {
  @IsObject() record!: Record<string, number>;
  @IsNotEmptyObject() notEmpty!: Record<string, unknown>;
  @IsNotEmptyObject({ nullable: false }) withValue!: Record<string, unknown>;
  @Type(() => Line) @ValidateNested({ each: true }) lines!: Map<string, Line>;
  @Type(() => String) @IsString({ each: true }) texts!: Map<string, string>;
  @Type(() => Line) @ValidateNested({ each: true }) set!: Set<Line>;
  @Type(() => String) @IsString({ each: true }) textSet!: Set<string>;
}

class Shape {
  @IsString() label!: string;
}
class Circle extends Shape {
  @IsNumber() radius!: number;
}
class Square extends Shape {
  @IsNumber() side!: number;
}
const SUB_TYPES = {
  discriminator: {
    property: 'kind',
    subTypes: [
      { value: Circle, name: 'circle' },
      { value: Square, name: 'square' },
    ],
  },
};

class Drawing {
  @ValidateNested() @Type(() => Shape, SUB_TYPES) shape!: Circle | Square;
  @ValidateNested({ each: true }) @Type(() => Shape, SUB_TYPES) shapes!: (Circle | Square)[];
  @IsOptional() @ValidateNested() @Type(() => Shape, { ...SUB_TYPES, keepDiscriminatorProperty: true }) kept?: Shape;
}

class Dynamic {
  @IsIn(['line', 'tree']) kind!: string;
  @ValidateNested()
  @Type((help) => ((help?.object as { kind: string }).kind === 'line' ? Line : Tree))
  value!: unknown;
}

class Instances {
  @IsInstance(Line) @Type(() => Line) line!: Line;
  @IsOptional() @IsInstance(Line) never?: Line;
}

@ValidatorConstraint({ name: 'isShouted' })
class IsShouted implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && value === value.toUpperCase();
  }
}

@ValidatorConstraint({ async: true })
class IsFree implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    return Promise.resolve(value !== 'taken');
  }
}

function IsEven(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isEven',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: { validate: (value: unknown) => typeof value === 'number' && value % 2 === 0 },
    });
}

class Custom {
  @IsEven() even!: number;
  @IsInt() @IsEven() evenInt!: number;
  @Validate(IsShouted) shouted!: string;
  @IsString() @Validate(IsFree) name!: string;
  @IsString({ validateIf: (object: Custom) => object.name === 'strict' }) sometimes!: string;
}

class Grouped {
  @IsString({ groups: ['create'] }) name!: string;
  @IsInt({ always: true }) count!: number;
  @IsString() plain!: string;
}

enum Level {
  Low,
  High,
}

class EnumLists {
  @IsEnum(Level, { each: true }) levels!: Level[];
  @Type(() => Number) @IsEnum(Level) level!: Level;
  @IsOptional() @IsEnum(Level) optional?: Level;
}

class Anonymous {
  @Allow() meta!: unknown;
  @IsArray() list!: { foo: string }[];
  @IsObject() inline!: { foo: string };
}

const LINE = { sku: 1 };
const LINES = [[{ sku: 1 }], [{ sku: 'x' }], [{}], { sku: 1 }, { sku: 'x' }, [[{ sku: 1 }]], [{ sku: 1 }, { sku: 1 }]];

export const STRUCTURE_CASES: readonly OracleCase[] = [
  oracleCase(
    Nested,
    { line: LINE, required: LINE, object: LINE, notEmpty: LINE },
    {
      values: { line: LINES, required: LINES, optional: LINES, object: LINES, notEmpty: LINES },
      stricter: { line: ['nestedList'], required: ['nestedList'], optional: ['nestedList'] },
    },
  ),
  oracleCase(
    NestedLists,
    { lines: [LINE], some: [LINE], withoutEach: [LINE], oneOrMany: LINE },
    {
      values: { lines: LINES, some: LINES, withoutEach: LINES, oneOrMany: LINES },
      stricter: {
        lines: ['nestedList', 'declared'],
        some: ['nestedList'],
        withoutEach: ['nestedList', 'declared'],
        oneOrMany: ['nestedList'],
      },
    },
  ),
  oracleCase(
    Untyped,
    { lines: [LINE], line: LINE, any: {}, bare: [], unchecked: LINE, object: LINE },
    {
      values: { lines: LINES, line: LINES, any: LINES },
      stricter: { lines: ['declared'], line: ['notLookedInto'], any: ['nestedList'] },
    },
  ),
  oracleCase(
    Tree,
    { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
    {
      values: { children: [[{ name: 1 }], [{ name: 'b', children: [{}] }]], parent: [{ name: 'p' }, { name: 1 }] },
      stricter: { children: ['nestedList'], parent: ['nestedList'] },
    },
  ),
  oracleCase(
    Ping,
    { ping: 1, pong: { pong: 2, ping: { ping: 3 } } },
    {
      values: { pong: [{ pong: 1 }, { pong: 'x' }, { pong: 1, ping: { ping: 'x' } }] },
      stricter: { pong: ['nestedList'] },
    },
  ),
  oracleCase(
    Lists,
    {
      ...{ strings: ['a'], array: ['a'], numbers: [1], lengths: ['ab'], oneOrMany: 'a', choices: ['a'], matrix: [[]] },
      ...{ rows: [[1]], filled: ['a'], defined: [1] },
    },
    {
      values: {
        lengths: [['a'], ['abcd'], 'ab'],
        choices: [['c'], 'b'],
        numbers: [[0], 1],
        matrix: [[1]],
        rows: [[[]]],
      },
      stricter: {
        strings: ['declared'],
        numbers: ['declared'],
        lengths: ['declared'],
        choices: ['declared'],
        filled: ['declared'],
        defined: ['declared'],
      },
    },
  ),
  oracleCase(
    ListBounds,
    {
      ...{ notEmpty: ['a'], bounded: ['a'], uniqueAny: [], uniqueText: ['a'], uniqueCaseless: ['a'], uniqueLines: [] },
      ...{ containing: ['a'], containingBoth: ['b', 'a'], without: [] },
    },
    {
      values: {
        uniqueCaseless: [['a', 'A']],
        uniqueLines: LINES,
        uniqueAny: [
          [{}, {}],
          [1, 1],
        ],
        bounded: [['a', 'b', 'c']],
      },
      stricter: { uniqueLines: ['nestedList'] },
      looser: { uniqueCaseless: ['identifier'] },
    },
  ),
  oracleCase(
    ConvertedLists,
    { numbers: [1], number: 1, flag: true, text: 'a', dates: ['2024-01-31'], bareList: [] },
    {
      values: { numbers: [['1'], ['x']], dates: [['2024-01-31', '2024-01-31']], number: ['x'] },
      stricter: {
        numbers: ['converted'],
        number: ['converted'],
        flag: ['converted'],
        text: ['converted'],
        dates: ['converted'],
        bare: ['converted'],
        bareList: ['converted'],
      },
    },
  ),
  oracleCase(
    Maps,
    {
      record: {},
      notEmpty: { a: 1 },
      withValue: { a: 1 },
      lines: { x: LINE },
      texts: { x: 'a' },
      set: [LINE],
      textSet: ['a'],
    },
    {
      values: { lines: [{ x: {} }, { x: { sku: 'x' } }], texts: [{ x: 1 }, {}], set: LINES, withValue: [{ a: null }] },
      stricter: {
        lines: ['declared', 'constructorKey'],
        texts: ['declared', 'converted'],
        set: ['nestedList', 'declared'],
        textSet: ['declared', 'converted'],
      },
      looser: { notEmpty: ['constructorKey'] },
    },
  ),
  oracleCase(
    Drawing,
    { shape: { kind: 'circle', label: 'a', radius: 1 }, shapes: [{ kind: 'square', label: 'b', side: 1 }] },
    {
      values: {
        shape: [
          { kind: 'square', label: 'a', side: 1 },
          { kind: 'circle', label: 'a', side: 1 },
          { label: 'a' },
          { kind: 'x', label: 'a' },
        ],
        shapes: [[{ kind: 'circle', label: 'a' }], [{ label: 'a' }]],
        kept: [
          { kind: 'circle', label: 'a', radius: 1 },
          { kind: 'circle', label: 'a' },
        ],
      },
      stricter: {
        shape: ['nestedList', 'discriminator'],
        shapes: ['nestedList', 'discriminator'],
        kept: ['nestedList'],
      },
    },
  ),
  oracleCase(
    Dynamic,
    { kind: 'line', value: LINE },
    {
      values: { kind: ['tree'], value: [{ name: 'a' }] },
      stricter: { value: ['nestedList'] },
      looser: { kind: ['sibling'] },
    },
  ),
  oracleCase(Instances, { line: LINE }, { values: { line: LINES } }),
  oracleCase(
    Custom,
    { even: 2, evenInt: 2, shouted: 'A', name: 'a', sometimes: 'a' },
    { values: { even: [4], name: ['taken'], sometimes: [1] }, stricter: { sometimes: ['declared'] } },
  ),
  oracleCase(Grouped, { name: 'a', count: 1, plain: 'a' }),
  oracleCase(
    EnumLists,
    { levels: [0, 1], level: 1 },
    {
      values: { levels: [[0], ['Low'], [2], 1], level: ['1', 'Low'] },
      stricter: { levels: ['declared', 'reverseMapping'], level: ['converted'] },
    },
  ),
  oracleCase(
    Anonymous,
    { meta: 1, list: [{ foo: 'a' }], inline: { foo: 'a' } },
    { values: { meta: [{ deep: [1] }], list: [[1]] } },
  ),
];
