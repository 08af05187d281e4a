import { Injectable, ParseIntPipe, ValidationPipe } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { schemaOfClass, SchemaContext } from './index.js';
import { expectedTypeOf, validationViewOf } from './validation-view.js';

@Injectable()
class CreatingPipe extends ValidationPipe {
  constructor() {
    super({ groups: ['create'], whitelist: true });
  }
}

class NoteDto {
  @IsString({ groups: ['create'] }) title!: string;
  @IsOptional() @IsInt() @IsInt({ groups: ['update'] }) version?: number;
}

describe('validationViewOf', () => {
  const gaps: string[] = [];
  const view = (...pipes: unknown[]): object => validationViewOf(pipes, (why) => gaps.push(why));

  it.each([
    ['no pipe', [], {}],
    ['a pipe of another kind', [ParseIntPipe, new ParseIntPipe()], {}],
    ['the class of the pipe', [ValidationPipe], {}],
    ['a pipe without such options', [new ValidationPipe({ transform: true, whitelist: true })], {}],
    ['groups', [new ValidationPipe({ groups: ['create'] })], { groups: ['create'] }],
    ['groups that are none', [new ValidationPipe({ groups: [] })], {}],
    ['an own pipe with groups', [new CreatingPipe()], { groups: ['create'] }],
    [
      'every option',
      [
        new ValidationPipe({
          groups: ['a'],
          always: true,
          strictGroups: true,
          skipMissingProperties: true,
          skipNullProperties: true,
          skipUndefinedProperties: true,
        }),
      ],
      {
        groups: ['a'],
        always: true,
        strictGroups: true,
        skipMissingProperties: true,
        skipNullProperties: true,
        skipUndefinedProperties: true,
      },
    ],
    ['options that are off', [new ValidationPipe({ always: false, strictGroups: false })], {}],
    [
      'the last of several',
      [new ValidationPipe({ groups: ['a'] }), new ValidationPipe({ groups: ['b'] })],
      { groups: ['b'] },
    ],
    [
      'the one that applies every validator, wherever it runs',
      [new ValidationPipe(), new ValidationPipe({ groups: ['b'] })],
      {},
    ],
  ])('reads %s', (_name, pipes, expected) => {
    expect(view(...pipes)).toEqual(expected);
    expect(gaps).toEqual([]);
  });

  it('assumes the defaults of a class that is made for each request, and says so', () => {
    expect(view(CreatingPipe)).toEqual({});
    expect(gaps.splice(0)).toEqual([expect.stringContaining('CreatingPipe')]);
  });

  it('knows the class that a pipe was told to expect', () => {
    const pipes = [new ValidationPipe(), new ValidationPipe({ expectedType: NoteDto })];
    expect(expectedTypeOf(pipes, 'body')).toBe(NoteDto);
    expect(
      expectedTypeOf([new ValidationPipe({ transformOptions: { groups: ['body'] } }), ParseIntPipe], 'body'),
    ).toBeUndefined();
  });

  it('knows the classes that a pipe of an application holds by source', () => {
    class TargetPipe extends ValidationPipe {
      constructor(private readonly targets: object) {
        super({ whitelist: true });
      }

      override transform(value: unknown): Promise<unknown> {
        return Promise.resolve([value, this.targets]);
      }
    }
    const pipe = new TargetPipe({ body: NoteDto, query: { title: 'a' } });
    expect(expectedTypeOf([pipe], 'body')).toBe(NoteDto);
    expect(expectedTypeOf([pipe], 'query')).toBeUndefined();
    expect(expectedTypeOf([new TargetPipe({ param: NoteDto })], 'path')).toBe(NoteDto);
  });
});

describe('a document of several views', () => {
  it('defines a class once for each, and its gaps once', () => {
    const context = new SchemaContext();
    const creating = context.viewedBy({ groups: ['create'] });
    expect(schemaOfClass(NoteDto, context).required).toEqual(['title']);
    expect(context.define(NoteDto, 'NoteDto', () => ({ type: 'object' }))).toEqual({ $ref: '#/$defs/NoteDto' });
    expect(creating.define(NoteDto, 'NoteDto', () => ({}))).toEqual({ $ref: '#/$defs/NoteDto_2' });
    expect(context.viewedBy({ groups: ['create'] }).define(NoteDto, 'NoteDto', () => ({}))).toEqual({
      $ref: '#/$defs/NoteDto_2',
    });
    creating.report('here', 'why');
    context.report('here', 'why');
    expect(context.gaps).toHaveLength(1);
    expect(Object.keys(context.definitions)).toEqual(['NoteDto', 'NoteDto_2']);
  });
});
