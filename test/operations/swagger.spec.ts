import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  Req,
  ValidationPipe,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import {
  ApiBody,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Operation, OperationCatalogue, type OperationDescriptor } from 'nestjs-palette';
import { closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';
import { compileWithPlugin } from './support/compile-with-plugin.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from './support/same-answer.js';

enum Order {
  Asc = 'asc',
  Desc = 'desc',
}

class NoteDto {
  @ApiProperty({ description: 'What it is about.', example: 'Milk' }) @IsString() @MaxLength(20) title!: string;
  @ApiPropertyOptional({ minimum: 1, default: 3 }) @IsOptional() @IsInt() @Min(1) @Max(5) stars?: number;
  @ApiProperty({ type: [String], required: false }) labels?: string[];
}
class AuthorDto {
  @ApiProperty() @IsString() author!: string;
}
class ChangeNoteDto extends PartialType(OmitType(NoteDto, ['labels'] as const)) {}
class SignedNoteDto extends IntersectionType(PickType(NoteDto, ['title'] as const), AuthorDto) {}

/** Reads the query by itself, as decorators for paging do. */
const Paging = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { page, order } = context.switchToHttp().getRequest<{ query: Record<string, unknown> }>().query;
  return { page: page ?? null, order: order ?? null };
});

@Controller('notes')
class NotesController {
  @Operation()
  @ApiOperation({ summary: 'List notes', description: 'The newest first.' })
  @ApiQuery({ name: 'page', type: Number, required: true, description: 'Counts from 1.', example: 2 })
  @ApiQuery({ name: 'order', enum: Order, required: false })
  @ApiQuery({ name: 'labels', type: [String], required: false })
  @ApiQuery({ name: 'wanted', type: NoteDto, required: false })
  @ApiHeader({ name: 'x-tenant', description: 'Whose notes.' })
  @Get()
  list(@Paging() paging: unknown) {
    return paging;
  }

  @Operation()
  @ApiOperation({ summary: 'Find notes.' })
  @ApiQuery({ name: 'text', description: 'What they hold.' })
  @ApiQuery({ name: 'limit', schema: { type: 'integer', minimum: 1 } })
  @Get('found')
  found(@Query() query: Record<string, unknown>) {
    return query;
  }

  @Operation()
  @ApiOperation({ description: 'Read a note, by its number.' })
  @ApiParam({ name: 'id', description: 'The number of the note.' })
  @ApiQuery({ name: 'depth', description: 'How much of it.' })
  @ApiQuery({ name: 'unread', description: 'No parameter of the method.' })
  @Get(':id')
  read(@Param('id', ParseIntPipe) id: number, @Query('depth') depth: string) {
    return { id, depth };
  }

  @Operation({ description: 'Said here.' })
  @ApiOperation({ summary: 'Said there.' })
  @ApiBody({ type: NoteDto, description: 'The note.' })
  @Post()
  create(@Body() note: { title: string }) {
    return note;
  }

  @Operation({ description: '' })
  @ApiOperation({ summary: 'Said there.' })
  @ApiBody({ type: [NoteDto], description: 'The notes.' })
  @Post('bulk')
  bulk(@Body() notes: NoteDto[]) {
    return notes.length;
  }

  @Operation()
  @ApiOperation({ summary: 'Change', description: 'Change a note.' })
  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number, @Body() note: ChangeNoteDto) {
    return { id, note };
  }

  @Operation()
  @ApiOperation({})
  @ApiBody({ type: NoteDto })
  @Post('signed')
  signed(@Body() note: SignedNoteDto) {
    return note;
  }

  @Operation()
  @ApiQuery({ name: 'flag', type: Boolean })
  @Get('raw/request')
  raw(@Req() { query }: { query: unknown }) {
    return query;
  }
}

async function boot(platform: Platform, controllers: Type[] = [NotesController], forbidNonWhitelisted = true) {
  const pipe = new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted });
  const booted = await bootDispatching(platform, { controllers }, { configure: (app) => app.useGlobalPipes(pipe) });
  const catalogue = booted.app.get(OperationCatalogue);
  return { booted, catalogue, operation: (name: string) => catalogue.operations.get(name) as OperationDescriptor };
}

describe.each(PLATFORMS)('what @nestjs/swagger was told, on %s', (platform) => {
  afterEach(closeApplications);

  it('describes an operation that does not describe itself', async () => {
    const { catalogue } = await boot(platform);
    expect([...catalogue.operations.values()].map(({ name, description }) => [name, description])).toEqual([
      ['notes.list', 'List notes. The newest first.'],
      ['notes.found', 'Find notes.'],
      ['notes.read', 'Read a note, by its number.'],
      ['notes.create', 'Said here.'],
      ['notes.bulk', ''],
      ['notes.change', 'Change a note.'],
      ['notes.signed', ''],
      ['notes.raw', ''],
    ]);
  });

  it('reaches the model', async () => {
    const { booted } = await boot(platform);
    expect(booted.palette.definitions[0]?.description).toBe('List notes. The newest first.');
  });

  it('describes parameters', async () => {
    const { operation } = await boot(platform);
    expect(operation('notes.read').input.schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'The number of the note.' },
        depth: { type: 'string', description: 'How much of it.' },
      },
      required: ['id'],
      additionalProperties: false,
    });
  });

  it('names the query that a decorator of the application reads', async () => {
    const { operation } = await boot(platform);
    expect(operation('notes.list').input.schema).toEqual({
      type: 'object',
      properties: {
        page: { type: 'number', description: 'Counts from 1.', examples: [2] },
        order: { type: 'string', enum: ['asc', 'desc'] },
        labels: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    });
    expect(operation('notes.raw').input.schema.properties).toEqual({ flag: { type: 'boolean' } });
  });

  it('names parameters of a query that no class declares, and leaves it open', async () => {
    const { operation } = await boot(platform);
    expect(operation('notes.found').input.schema.properties?.['query']).toEqual({
      type: 'object',
      properties: { text: { description: 'What they hold.' }, limit: { type: 'number' } },
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    });
  });

  it('tells the class of a body whose type the compiler erased, and says that nothing is validated', async () => {
    const { operation, catalogue } = await boot(platform);
    expect(operation('notes.create').input.schema.properties).toEqual({
      title: { type: 'string', maxLength: 20, description: 'What it is about.', examples: ['Milk'] },
      stars: { type: ['integer', 'null'], minimum: 1, maximum: 5, default: 3 },
      labels: { type: ['array', 'null'], items: { type: 'string' } },
    });
    expect(operation('notes.bulk').input.schema.properties?.['body']).toEqual({
      type: 'array',
      items: { $ref: '#/$defs/NoteDto' },
      description: 'The notes.',
    });
    const told = catalogue.gaps.filter(({ why }) => why.includes('@ApiBody()')).map(({ at }) => at);
    expect(told).toEqual(['NotesController.create, parameter 0', 'NotesController.bulk, parameter 0']);
  });

  it('says nothing against what the parameters say', async () => {
    const { operation } = await boot(platform);
    expect(operation('notes.signed').input.schema.properties).toEqual({
      title: { type: 'string', maxLength: 20, description: 'What it is about.', examples: ['Milk'] },
      author: { type: 'string' },
    });
  });

  it('is read of its own mapped types', async () => {
    const { operation } = await boot(platform);
    expect(operation('notes.change').input.schema).toMatchObject({
      properties: {
        title: { type: ['string', 'null'], description: 'What it is about.' },
        stars: { type: ['integer', 'null'] },
      },
      required: ['id'],
    });
    expect(operation('notes.change').input.schema.properties).not.toHaveProperty('labels');
  });

  it.each<Omit<AnswerRow, 'what'>>([
    {
      tool: 'notes__list',
      args: { page: 2, order: 'asc' },
      http: 'GET /notes?page=2&order=asc',
      status: 200,
      answer: { page: '2', order: 'asc' },
    },
    { tool: 'notes__list', http: 'GET /notes', status: 200, answer: { page: null } },
    {
      tool: 'notes__found',
      args: { query: { text: 'a', limit: 3, other: true } },
      http: 'GET /notes/found?text=a&limit=3&other=true',
      status: 200,
      answer: { text: 'a', limit: '3', other: 'true' },
    },
    { tool: 'notes__read', args: { id: 7, depth: 'x' }, http: 'GET /notes/7?depth=x', status: 200 },
    { tool: 'notes__create', args: { title: 'a' }, http: 'POST /notes', body: { title: 'a' }, status: 201 },
    {
      tool: 'notes__bulk',
      args: { body: [{ title: 'a' }] },
      http: 'POST /notes/bulk',
      body: [{ title: 'a' }],
      status: 201,
    },
    {
      tool: 'notes__change',
      args: { id: 7, stars: 4 },
      http: 'PATCH /notes/7',
      body: { stars: 4 },
      status: 200,
      answer: { id: 7, note: { stars: 4 } },
    },
    { tool: 'notes__raw', args: { flag: true }, http: 'GET /notes/raw/request?flag=true', status: 200 },
  ])('changes nothing about what runs: $http', async (row) => {
    const { booted } = await boot(platform);
    await expectSameAnswer(await openBothWays(booted), { what: row.tool, ...row });
  });
});

const SOURCES = {
  'compiled.dto.ts': `
    import { IsInt, IsOptional } from 'class-validator';
    export class LineDto {
      /** How many of it. */
      @IsInt() count!: number;
    }
    export class CompiledDto {
      /**
       * What it is about.
       * @example Milk
       */
      title!: string;
      stars?: number = 3;
      labels: string[] = [];
      lines!: LineDto[];
      kind!: 'note' | 'list';
      @IsOptional() @IsInt() checked?: number;
    }
    export class DerivedDto extends CompiledDto {
      own!: boolean;
    }
  `,
  'compiled.controller.ts': `
    import { Body, Controller, Post } from '@nestjs/common';
    import { DerivedDto } from './compiled.dto';
    @Controller('compiled')
    export class CompiledController {
      /** Create what was compiled. */
      @Post()
      create(@Body() note: DerivedDto) {
        return note;
      }
    }
  `,
};

describe('what the compiler plugin of @nestjs/swagger adds', () => {
  let controller: Type;

  beforeAll(async () => {
    const compiled = await compileWithPlugin(SOURCES, 'compiled.controller.js');
    controller = compiled['CompiledController'] as Type;
    const prototype = controller.prototype as object;
    Operation()(prototype, 'create', Object.getOwnPropertyDescriptor(prototype, 'create') as PropertyDescriptor);
  });
  afterEach(closeApplications);

  it.each(PLATFORMS)('is read: properties without decorators, and comments, on %s', async (platform) => {
    const { operation, booted } = await boot(platform, [controller], false);
    const { description, input } = operation('compiled.create');
    expect(description).toBe('Create what was compiled.');
    expect(input.schema).toEqual({
      type: 'object',
      properties: {
        checked: { type: ['integer', 'null'] },
        title: { type: ['string', 'null'], description: 'What it is about.', examples: ['Milk'] },
        stars: { type: ['number', 'null'], default: 3 },
        labels: { type: ['array', 'null'], items: { type: 'string' }, default: [] },
        lines: {
          type: ['array', 'null'],
          items: {},
          description:
            'The application does not check what it holds; it is meant to fit ' +
            '{"type":"array","items":{"$ref":"#/$defs/LineDto"}}.',
        },
        kind: { type: ['string', 'null'], enum: ['note', 'list', null] },
        own: { type: ['boolean', 'null'] },
      },
      additionalProperties: false,
      $defs: {
        LineDto: {
          type: 'object',
          properties: { count: { type: 'integer', description: 'How many of it.' } },
          required: ['count'],
          additionalProperties: false,
        },
      },
    });
    expect(await booted.call('compiled__create', { checked: 1 })).toMatchObject({ isError: false });
  });
});
