import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Param,
  Post,
  Put,
  Query,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type INestApplication,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import * as nest from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationCatalogue } from 'nestjs-palette';
import { z } from 'zod';
import { z as mini } from 'zod/mini';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from './support/same-answer.js';

const Author = z.object({ name: z.string().min(1) }).meta({ id: 'Author' });
const Note = z.object({
  title: z.string().min(2).describe('What it is about.'),
  stars: z.int().min(1).max(5).optional(),
  slug: z.string().trim().toLowerCase().min(2).optional(),
  authors: z.array(Author).default([]),
  due: z
    .codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
    .nullish(),
});
const Search = z.object({
  text: z.string().optional(),
  limit: z.coerce.number().int().max(50).default(10),
  archived: z.preprocess((value) => value === 'true', z.boolean()),
  tags: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string())).optional(),
});
const Ids = z.object({ id: z.uuid() });
const Choice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('number'), number: z.number() }),
]);
const Labels = z.record(z.string(), z.string());

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly PropertyKey[] }[];
}

/** What applications write for themselves, on either major of Nest; the schema is given, or is the class's. */
class SchemaPipe implements PipeTransform {
  constructor(private readonly schema?: z.ZodType) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    const ofClass = (metatype as { schema?: z.ZodType } | undefined)?.schema;
    const schema = this.schema ?? ofClass;
    if (schema === undefined || (this.schema !== undefined && ofClass === undefined && type === 'param')) return value;
    const result = schema['~standard'].validate(value) as StandardResult;
    if (result.issues === undefined) return result.value;
    const messages = result.issues.map(({ path = [], message }) =>
      [path.join('.'), message].filter(Boolean).join(': '),
    );
    throw new BadRequestException(messages);
  }
}

function dtoOf<T extends z.ZodType>(schema: T): Type<z.output<T>> & { readonly schema: T } {
  class Dto {
    static readonly isZodDto = true;
    static readonly schema = schema;
  }
  return Dto as unknown as Type<z.output<T>> & { readonly schema: T };
}

class NoteDto extends dtoOf(Note) {}
class SearchDto extends dtoOf(Search) {}
class IdsDto extends dtoOf(Ids) {}

@Controller('notes')
class ClassController {
  @Operation() @Post() create(@Body() note: NoteDto) {
    return note;
  }
  @Operation() @Get() search(@Query() query: SearchDto) {
    return query;
  }
  @Operation() @Put(':id') update(@Param() { id }: IdsDto, @Body() note: NoteDto) {
    return { id, note };
  }
}

@Controller('notes')
class PipeController {
  @Operation() @Post() create(@Body(new SchemaPipe(Note)) note: unknown) {
    return note;
  }
  @Operation() @Get() search(@Query(new SchemaPipe(Search)) query: unknown) {
    return query;
  }
  @Operation() @Put(':id') update(
    @Param('id', new SchemaPipe(Ids.shape.id)) id: string,
    @Body(new SchemaPipe(NoteDto.schema)) note: unknown,
  ) {
    return { id, note };
  }
}

@Controller('notes')
class MethodController {
  @Operation() @Post() @UsePipes(new SchemaPipe(Note)) create(@Body() note: unknown) {
    return note;
  }
  @Operation() @Get() @UsePipes(new SchemaPipe(Search)) search(@Query() query: unknown) {
    return query;
  }
  @Operation() @Put(':id') @UsePipes(new SchemaPipe(Note)) update(@Param('id') id: string, @Body() note: unknown) {
    return { id, note };
  }
}

/** `@Body({ schema })` of Nest 12; Nest 11 has no such options. */
type SchemaDecorator = (...parameters: readonly unknown[]) => ParameterDecorator;
const [BodyOf, QueryOf, ParamOf] = [Body, Query, Param] as unknown as readonly [
  SchemaDecorator,
  SchemaDecorator,
  SchemaDecorator,
];
const NestPipe = (nest as unknown as Readonly<Record<string, Type<PipeTransform> | undefined>>)[
  'StandardSchemaValidationPipe'
];

@Controller('notes')
class ParameterController {
  @Operation() @Post() create(@BodyOf({ schema: Note }) note: unknown) {
    return note;
  }
  @Operation() @Get() search(@QueryOf({ schema: Search }) query: unknown) {
    return query;
  }
  @Operation() @Put(':id') update(
    @ParamOf('id', { schema: Ids.shape.id }) id: string,
    @BodyOf({ schema: Note }) note: unknown,
  ) {
    return { id, note };
  }
}

interface Way {
  readonly way: string;
  readonly controller: Type;
  readonly pipe?: PipeTransform;
}

const WAYS: readonly Way[] = [
  { way: 'a static schema of the class, and a global pipe', controller: ClassController, pipe: new SchemaPipe() },
  { way: 'a pipe of the parameter', controller: PipeController },
  { way: 'a pipe of the method', controller: MethodController },
  ...(NestPipe === undefined
    ? []
    : [{ way: 'the schema of the parameter', controller: ParameterController, pipe: new NestPipe() }]),
];
const PLACES = PLATFORMS.flatMap((platform) => WAYS.map((way) => ({ platform, ...way })));

const ID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
const ROWS: readonly AnswerRow[] = [
  {
    what: 'a body, with a default and a change',
    tool: 'notes__create',
    args: { title: 'ab', slug: ' AB ', due: '2024-01-31T10:00:00Z' },
    http: 'POST /notes',
    body: { title: 'ab', slug: ' AB ', due: '2024-01-31T10:00:00Z' },
    status: 201,
    answer: { title: 'ab', slug: 'ab', authors: [], due: '2024-01-31T10:00:00.000Z' },
  },
  {
    what: 'a body that only the application refuses',
    tool: 'notes__create',
    args: { title: 'ab', slug: '  a  ' },
    http: 'POST /notes',
    body: { title: 'ab', slug: '  a  ' },
    status: 400,
    answer: { message: [expect.stringContaining('slug: ')] },
  },
  {
    what: 'a query, whose converted values travel as text',
    tool: 'notes__search',
    args: { text: 'x', limit: 5, archived: true, tags: ['a'] },
    http: 'GET /notes?text=x&limit=5&archived=true&tags=a',
    status: 200,
    answer: { text: 'x', limit: 5, archived: true, tags: ['a'] },
  },
  {
    what: 'an empty query',
    tool: 'notes__search',
    http: 'GET /notes',
    status: 200,
    answer: { limit: 10, archived: false },
  },
  {
    what: 'a path beside a body',
    tool: 'notes__update',
    args: { id: ID, title: 'ab', authors: [{ name: 'Ada' }] },
    http: `PUT /notes/${ID}`,
    body: { title: 'ab', authors: [{ name: 'Ada' }] },
    status: 200,
    answer: { id: ID, note: { title: 'ab', authors: [{ name: 'Ada' }] } },
  },
];

function schemaOf({ app }: Dispatching, name: string) {
  return app.get(OperationCatalogue).operations.get(name)?.input.schema;
}

describe.each(PLACES)('$way, on $platform', ({ platform, controller, pipe }) => {
  afterEach(closeApplications);

  const boot = (): Promise<Dispatching> =>
    bootDispatching(platform, { controllers: [controller] }, { configure: (app) => pipe && app.useGlobalPipes(pipe) });

  it('tells the schema, its definitions in the one document', async () => {
    const booted = await boot();
    expect(schemaOf(booted, 'notes.create')).toMatchObject({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 2, description: 'What it is about.' },
        stars: { type: 'integer', minimum: 1, maximum: 5 },
        slug: { type: 'string', description: expect.stringContaining('{"minLength":2}') },
        authors: { type: 'array', items: { $ref: '#/$defs/Author' }, default: [] },
        due: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      },
      required: ['title'],
      additionalProperties: false,
      $defs: { Author: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } } },
    });
    expect(schemaOf(booted, 'notes.search')?.properties).toMatchObject({
      limit: { type: 'integer', maximum: 50, default: 10 },
      archived: { description: expect.stringContaining('{"type":"boolean"}') },
    });
    expect(schemaOf(booted, 'notes.update')?.required).toEqual(['id', 'title']);
  });

  it('names what it left open, and nothing else', async () => {
    const gaps = (await boot()).app.get(OperationCatalogue).gaps;
    expect(gaps.map(({ at }) => at.replace(/^.*(Dto\.|: )/, '')).sort()).toEqual(['archived', 'slug', 'slug', 'tags']);
  });

  it('runs a call as the request, or refuses it as the request is', async () => {
    const ways = await openBothWays(await boot());
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });

  it('refuses beforehand what it would refuse anyway', async () => {
    const { call } = await boot();
    const refusal = (code: string, pointer: string) => ({ isError: true, content: { code, details: [{ pointer }] } });
    expect(await call('notes__create', { title: 'a' })).toMatchObject(refusal('tool_arguments_invalid', '/title'));
    expect(await call('notes__create', { title: 'ab', stars: '5' })).toMatchObject(
      refusal('tool_arguments_invalid', '/stars'),
    );
    expect(await call('notes__create', { title: 'ab', extra: 1 })).toMatchObject(
      refusal('tool_arguments_unknown', '/extra'),
    );
  });
});

/** What another library tells, which need not be what it checks. */
const Foreign = {
  '~standard': {
    version: 1,
    vendor: 'other',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }) },
  },
};
class ForeignDto {
  static readonly schema = Foreign;
}
class MiniDto {
  static readonly schema = mini.object({ a: mini.string() });
}
class LooseDto extends dtoOf(z.looseObject({ a: z.string() })) {}
class ChoiceDto {
  static readonly schema = Choice;
}
class LabelsDto extends dtoOf(Labels) {}
class OptionalListDto {
  static readonly schema = z.array(z.string()).optional();
}

@Controller('other')
class OtherController {
  @Operation() @Post('foreign') foreign(@Body() body: ForeignDto) {
    return body;
  }
  @Operation() @Post('mini') mini(@Body() body: MiniDto) {
    return body;
  }
  @Operation() @Post('loose') loose(@Body() body: LooseDto) {
    return body;
  }
  @Operation() @Post('choice') choice(@Body() body: ChoiceDto) {
    return body;
  }
  @Operation() @Post('list') list(@Body() body: OptionalListDto) {
    return body ?? null;
  }
  @Operation() @Get('labels') labels(@Query() query: LabelsDto) {
    return query;
  }
  @Operation() @Get('page') page(@Query('page', new SchemaPipe(z.coerce.number().int())) page: unknown) {
    return { page };
  }
  @Operation() @Get('size') size(@Query('size', new SchemaPipe(z.coerce.number().default(7))) size: unknown) {
    return { size };
  }
  @Operation() @Get('at/:day') day(@Param('day', new SchemaPipe(z.coerce.date())) day: Date) {
    return { day };
  }
  @Operation() @Get('raw/:a/:b') raw(@Param(new SchemaPipe(z.looseObject({}))) raw: unknown) {
    return raw;
  }
}

describe.each(PLATFORMS)('a Standard Schema that is not simply an object on %s', (platform) => {
  afterEach(closeApplications);

  const boot = (configure?: (app: INestApplication) => void): Promise<Dispatching> =>
    bootDispatching(
      platform,
      { controllers: [OtherController] },
      {
        configure: configure ?? ((app) => app.useGlobalPipes(new SchemaPipe())),
      },
    );

  it('is one value', async () => {
    const booted = await boot();
    expect(schemaOf(booted, 'other.choice')).toMatchObject({
      properties: {
        body: { anyOf: [{ properties: { kind: { const: 'text' } } }, { properties: { kind: { const: 'number' } } }] },
      },
      required: ['body'],
    });
    expect(schemaOf(booted, 'other.loose')?.properties).toMatchObject({ body: { additionalProperties: {} } });
    expect(schemaOf(booted, 'other.list')).not.toHaveProperty('required');
    expect(schemaOf(booted, 'other.labels')?.properties).toEqual({
      query: { type: 'object', additionalProperties: { type: 'string' } },
    });
    expect(schemaOf(booted, 'other.mini')?.properties).toEqual({ body: {} });
  });

  it('runs as the request does', async () => {
    const ways = await openBothWays(await boot());
    const body = { a: 'x', extra: [1] };
    const rows: readonly Omit<AnswerRow, 'what'>[] = [
      { tool: 'other__loose', args: { body }, http: 'POST /other/loose', body, status: 201, answer: body },
      {
        tool: 'other__choice',
        args: { body: { kind: 'number', number: 5 } },
        http: 'POST /other/choice',
        body: { kind: 'number', number: 5 },
        status: 201,
      },
      { tool: 'other__list', args: { body: ['a'] }, http: 'POST /other/list', body: ['a'], status: 201, answer: ['a'] },
      {
        tool: 'other__labels',
        args: { query: { a: 'x', b: 'y' } },
        http: 'GET /other/labels?a=x&b=y',
        status: 200,
        answer: { a: 'x', b: 'y' },
      },
      { tool: 'other__page', args: { page: 3 }, http: 'GET /other/page?page=3', status: 200, answer: { page: 3 } },
      { tool: 'other__size', http: 'GET /other/size', status: 200, answer: { size: 7 } },
      { tool: 'other__day', args: { day: '2024-01-31' }, http: 'GET /other/at/2024-01-31', status: 200 },
      {
        tool: 'other__raw',
        args: { a: 1, b: 'x' },
        http: 'GET /other/raw/1/x',
        status: 200,
        answer: { a: '1', b: 'x' },
      },
    ];
    for (const row of rows) await expectSameAnswer(ways, { what: row.tool, ...row });
  });

  it('holds arguments to what zod tells, and leaves those of another library to it', async () => {
    const { call } = await boot();
    expect(await call('other__page', {})).toMatchObject({ isError: true, content: { code: 'tool_arguments_invalid' } });
    expect(await call('other__choice', { body: { kind: 'date' } })).toMatchObject({ isError: true });
    expect(await call('other__foreign', { a: 5 })).toMatchObject({ isError: false, content: { a: 5 } });
    expect(await call('other__foreign', { b: 5 })).toMatchObject({ isError: true });
  });

  it('is reported where its library tells nothing, and where no pipe checks it', async () => {
    const gaps = (await boot((app) => app.useGlobalPipes(new ValidationPipe()))).app.get(OperationCatalogue).gaps;
    expect(gaps).toContainEqual({ at: 'MiniDto', why: expect.stringContaining('zod, which tells no JSON Schema') });
    expect(gaps.filter(({ why }) => why.includes('none of its pipes')).map(({ at }) => at)).toEqual([
      'OtherController.foreign, parameter 0',
      'OtherController.mini, parameter 0',
      'OtherController.loose, parameter 0',
      'OtherController.choice, parameter 0',
      'OtherController.list, parameter 0',
      'OtherController.labels, parameter 0',
    ]);
    const checked = (await boot()).app.get(OperationCatalogue).gaps;
    expect(checked.filter(({ why }) => why.includes('none of its pipes'))).toEqual([]);
  });

  it('describes the payload of a message as well', async () => {
    @Controller()
    class NotesMessages {
      @Operation({ name: 'notes.created' }) @MessagePattern('notes.created') created(@Payload() note: NoteDto) {
        return note;
      }
    }
    const booted = await bootDispatching(platform, { controllers: [NotesMessages] });
    expect(schemaOf(booted, 'notes.created')?.required).toEqual(['title']);
  });
});
