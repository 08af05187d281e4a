import { Controller, Get, Query, ValidationPipe } from '@nestjs/common';
import { plainToInstance, Transform, Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

// Boilerplates take objects in a query as JSON, a list of them as one JSON array. Repeating the name for each object, as for a
// list of texts, handed the application the first object in the place of the list: `sort` was dropped without a word.

class SortDto {
  @IsString() by!: string;
  @IsIn(['ASC', 'DESC']) order!: string;
}

const fromJson = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? plainToInstance(SortDto, JSON.parse(value) as unknown[]) : value;

class SearchDto {
  @IsOptional() @Transform(fromJson) @ValidateNested({ each: true }) @Type(() => SortDto) sort?: SortDto[];
  @IsOptional() @Transform(({ value }: { value: unknown }) => [value].flat()) @IsString({ each: true }) tags?: string[];
}

@Controller('notes')
class NotesController {
  @Operation() @Get() search(@Query() { sort = [], tags = [] }: SearchDto) {
    return { isList: Array.isArray(sort), sort, tags };
  }
}

describe.each(PLATFORMS)('a list in a query that the application transforms, on %s', (platform) => {
  afterEach(closeApplications);

  const search = async (args: Record<string, unknown>) => {
    const pipe = new ValidationPipe({ transform: true, whitelist: true });
    const { call } = await bootDispatching(
      platform,
      { controllers: [NotesController] },
      { configure: (app) => app.useGlobalPipes(pipe) },
    );
    return (await call('notes__search', args)).content;
  };

  it.each([
    [[{ by: 'title', order: 'ASC' }]],
    [
      [
        { by: 'title', order: 'ASC' },
        { by: 'id', order: 'DESC' },
      ],
    ],
  ])('arrives as a list of objects: %j', async (sort) => {
    expect(await search({ sort })).toEqual({ isList: true, sort, tags: [] });
  });

  it.each([[['a']], [['a', 'b']]])('arrives as a list of texts: %j', async (tags) => {
    expect(await search({ tags })).toEqual({ isList: true, sort: [], tags });
  });
});
