import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsDate, IsEnum, IsInt, IsNumber, IsOptional, IsString, IsUUID, ValidateNested } from 'class-validator';
import { readClassProperties } from './index.js';

enum Colour {
  Red = 'red',
}

class Author {
  @IsString()
  name!: string;
}

class Entity {
  @IsUUID()
  id!: string;

  @IsDate()
  @Type(() => Date)
  createdAt!: Date;
}

class NoteRead extends Entity {
  @IsString()
  title!: string;

  @IsOptional()
  @IsInt()
  pages?: number;

  @IsNumber()
  price!: number;

  @IsEnum(Colour)
  colour!: Colour;

  @Allow()
  draft!: boolean;

  @ValidateNested()
  @Type(() => Author)
  author!: Author;

  @ValidateNested({ each: true })
  @Type(() => Author)
  readers!: Author[];

  @IsString()
  @Exclude()
  secret!: string;

  @IsString()
  @Transform(({ value }) => String(value).trim())
  trimmed!: string;

  @Expose({ name: 'other_name' })
  @IsString()
  renamed!: string;

  @Type(() => Date)
  updatedAt!: Date | null;
}

describe('readClassProperties', () => {
  const properties = readClassProperties(NoteRead);
  const property = (name: string) => properties.find((each) => each.name === name);

  it("lists properties in the order of declaration, an ancestor's first", () => {
    expect(properties.map(({ name }) => name)).toEqual([
      ...['id', 'createdAt', 'title', 'pages', 'price', 'colour', 'draft', 'author', 'readers', 'secret', 'trimmed'],
      ...['renamed', 'updatedAt'],
    ]);
  });

  it.each([
    ['id', { type: 'string', format: 'uuid' }],
    ['createdAt', { type: 'string', format: 'date-time' }],
    ['updatedAt', { type: ['string', 'null'], format: 'date-time' }],
    ['title', { type: 'string' }],
    ['pages', { type: ['integer', 'null'] }],
    ['price', { type: 'number' }],
    ['colour', { type: 'string', enum: ['red'] }],
    ['draft', { type: ['boolean', 'null'] }],
    ['author', { type: 'object' }],
    ['readers', { type: 'array', items: { type: 'object' } }],
    ['trimmed', { type: 'string' }],
  ])('tells the schema of %s', (name, schema) => {
    expect(property(name)?.schema).toEqual(schema);
  });

  it('tells what is optional, nullable, transformed, excluded and renamed', () => {
    expect(property('title')).toMatchObject({ required: true, nullable: false, isTransformed: false, excluded: false });
    expect(property('pages')).toMatchObject({ required: false, nullable: true, designType: Number });
    expect(property('trimmed')).toMatchObject({ isTransformed: true, required: true });
    expect(property('secret')).toMatchObject({ excluded: true, inputName: undefined });
    expect(property('renamed')).toMatchObject({ inputName: 'other_name', excluded: false });
  });

  it('tells nothing of a class without decorators', () => {
    expect(readClassProperties(class {})).toEqual([]);
  });
});
