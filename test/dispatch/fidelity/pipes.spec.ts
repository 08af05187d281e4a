import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  HttpException,
  HttpStatus,
  Injectable,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Post,
  Query,
  UnprocessableEntityException,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { Operation } from 'nestjs-palette';
import { content, fidelityTable, handled, mark, refused, type Difference } from './support/fidelity-table.js';

/** Marks what it was given, and refuses a value that names it. */
abstract class MarkingPipe implements PipeTransform {
  abstract readonly place: string;

  transform(value: unknown, { type, data }: ArgumentMetadata): unknown {
    mark(`${this.place} of ${type} ${data ?? ''}`);
    if (value === `refused by ${this.place}`) throw new UnprocessableEntityException(`${this.place} says no`);
    return value;
  }
}

class GlobalPipe extends MarkingPipe {
  readonly place = 'global pipe';
}
@Injectable()
class AppPipe extends MarkingPipe {
  readonly place = 'app pipe';
}
@Injectable()
class ClassPipe extends MarkingPipe {
  readonly place = 'class pipe';
}
@Injectable()
class MethodPipe extends MarkingPipe {
  readonly place = 'method pipe';
}
@Injectable()
class ParameterPipe extends MarkingPipe {
  readonly place = 'parameter pipe';
}

/** Looks the note up, as pipes of applications do. */
@Injectable()
class NotePipe implements PipeTransform<string, Promise<{ id: string; found: true }>> {
  async transform(id: string): Promise<{ id: string; found: true }> {
    await new Promise((resolve) => setImmediate(resolve));
    if (id === 'gone') throw new HttpException({ code: 'note_gone', message: 'it was deleted' }, HttpStatus.GONE);
    return { id, found: true };
  }
}

class AuthorDto {
  @IsString() @MaxLength(10) name!: string;
}
class NoteDto {
  @IsString() @MaxLength(20) title!: string;
  @IsOptional() @IsInt() @Min(1) priority?: number;
  @IsOptional() @ValidateNested() @Type(() => AuthorDto) author?: AuthorDto;
  @IsOptional() @IsArray() @IsString({ each: true }) tags?: string[];
  @IsOptional() @Transform(({ value }: { value: unknown }) => String(value).trim()) slug?: string;
}
class SearchDto {
  @IsOptional() @IsInt() @Type(() => Number) limit?: number;
  @IsOptional() @IsBoolean() @Transform(({ value }: { value: unknown }) => value === 'true') archived?: boolean;
  @IsOptional() @IsString() text?: string;
}
class LooseDto {
  @IsInt() limit!: number;
}

const validation = new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true });

@Controller('pipes')
@UsePipes(ClassPipe)
class PipesController {
  @Operation() @Get('order/:id') @UsePipes(MethodPipe) order(@Param('id', ParameterPipe) id: string): unknown {
    return handled({ id });
  }
  @Operation() @Get('note/:id') note(@Param('id', NotePipe) note: unknown): unknown {
    return handled(note);
  }
  @Operation() @Post('create') create(@Body(validation) note: NoteDto): unknown {
    return handled({ ...note, isDto: note instanceof NoteDto });
  }
  @Operation() @Get('search') search(@Query(validation) query: SearchDto): unknown {
    return handled({ ...query });
  }
  @Operation() @Get('loose') loose(@Query() query: LooseDto): unknown {
    return handled({ ...query });
  }
  @Operation() @Get('parsed/:n') parsed(
    @Param('n', ParseIntPipe) n: number,
    @Query('flag', ParseBoolPipe) flag: boolean,
    @Query('kind', new ParseEnumPipe({ A: 'a', B: 'b' })) kind: string,
    @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number,
    @Query('ids', new ParseArrayPipe({ items: Number, separator: ',', optional: true })) ids?: number[],
  ): unknown {
    return handled({ n, flag, kind, page, ids });
  }
  @Operation() @Get('by-id/:id') byId(@Param('id', ParseUUIDPipe) id: string): unknown {
    return handled({ id });
  }
}

const order = { tool: 'pipes__order', status: 200 };
const create = { tool: 'pipes__create', http: 'POST /pipes/create' };
const ORDER = ['app pipe', 'global pipe', 'class pipe', 'method pipe', 'parameter pipe'];
const refusedEarly = (pointer: string, problem: string): Difference => ({
  because: 'what no pipe could take is told before there is a request, each fault by its name',
  view: refused('tool_arguments_invalid', 'The arguments do not fit the tool. Each fault is listed in `details`.', [
    { pointer, problem },
  ]),
});

fidelityTable('pipes', {
  application: () => ({ controllers: [PipesController], providers: [{ provide: APP_PIPE, useClass: AppPipe }] }),
  configure: (app) => app.useGlobalPipes(new GlobalPipe()),
  rows: [
    {
      what: 'run in their order',
      ...order,
      args: { id: 'x' },
      http: 'GET /pipes/order/x',
      view: content({ id: 'x' }),
      steps: [...ORDER.map((place) => `${place} of param id`), 'handler'],
    },
    ...ORDER.map((place) => ({
      what: `refuse: ${place}`,
      tool: 'pipes__order',
      args: { id: `refused by ${place}` },
      http: `GET /pipes/order/${encodeURIComponent(`refused by ${place}`)}`,
      status: 422,
      view: refused('unprocessable_entity', `${place} says no`),
    })),
    {
      what: 'turn a value into another',
      tool: 'pipes__note',
      args: { id: '7' },
      http: 'GET /pipes/note/7',
      status: 200,
      view: content({ id: '7', found: true }),
    },
    {
      what: 'refuse with a code of their own',
      tool: 'pipes__note',
      args: { id: 'gone' },
      http: 'GET /pipes/note/gone',
      status: 410,
      view: refused('note_gone', 'it was deleted'),
    },
    {
      what: 'validate a body, and make a DTO of it',
      ...create,
      args: { title: 'first', priority: 2, author: { name: 'Ada' }, tags: ['a', 'b'], slug: ' x ' },
      body: { title: 'first', priority: 2, author: { name: 'Ada' }, tags: ['a', 'b'], slug: ' x ' },
      status: 201,
      view: content({
        title: 'first',
        priority: 2,
        author: { name: 'Ada' },
        tags: ['a', 'b'],
        slug: 'x',
        isDto: true,
      }),
    },
    {
      what: 'refuse a text that is too long',
      ...create,
      args: { title: 'x'.repeat(21) },
      body: { title: 'x'.repeat(21) },
      status: 400,
      view: refused('bad_request', 'Bad Request', ['title must be shorter than or equal to 20 characters']),
      differs: refusedEarly('/title', 'must NOT have more than 20 characters'),
    },
    {
      what: 'refuse a property that there is none of',
      ...create,
      args: { title: 'x', admin: true },
      body: { title: 'x', admin: true },
      status: 400,
      view: refused('bad_request', 'Bad Request', ['property admin should not exist']),
      differs: {
        because: 'an argument that a tool does not have is refused by its name before there is a request',
        view: refused('tool_arguments_unknown', 'The tool has no such argument. Each one is listed in `details`.', [
          { pointer: '/admin', problem: 'is not an argument of this tool' },
        ]),
      },
    },
    {
      what: 'take query values, transformed as over HTTP',
      tool: 'pipes__search',
      args: { limit: 3, archived: true, text: 'a b&c=d' },
      http: 'GET /pipes/search?limit=3&archived=true&text=a%20b%26c%3Dd',
      status: 200,
      view: content({ limit: 3, archived: true, text: 'a b&c=d' }),
    },
    {
      what: 'take the false that a transformation makes of text',
      tool: 'pipes__search',
      args: { archived: false },
      http: 'GET /pipes/search?archived=false',
      status: 200,
      view: content({ archived: false }),
    },
    {
      what: 'that there are none of leave a number of a tool call a number',
      tool: 'pipes__loose',
      args: { limit: 3 },
      http: 'GET /pipes/loose?limit=3',
      status: 200,
      view: content({ limit: '3' }),
      differs: {
        because: 'a query string knows text only; a JSON number stays one, and nobody has to guess it back',
        view: content({ limit: 3 }),
      },
    },
    {
      what: 'of the framework parse what they are given',
      tool: 'pipes__parsed',
      args: { n: 7, flag: true, kind: 'b', page: 2, ids: [1, 2] },
      http: 'GET /pipes/parsed/7?flag=true&kind=b&page=2&ids=1,2',
      status: 200,
      view: content({ n: 7, flag: true, kind: 'b', page: 2, ids: [1, 2] }),
    },
    {
      what: 'of the framework fill in defaults',
      tool: 'pipes__parsed',
      args: { n: 7, flag: false, kind: 'a' },
      http: 'GET /pipes/parsed/7?flag=false&kind=a',
      status: 200,
      view: content({ n: 7, flag: false, kind: 'a', page: 1 }),
    },
    {
      what: 'of the framework refuse text for a number',
      tool: 'pipes__parsed',
      args: { n: 'seven', flag: true, kind: 'a' },
      http: 'GET /pipes/parsed/seven?flag=true&kind=a',
      status: 400,
      view: refused('bad_request', 'Validation failed (numeric string is expected)'),
      differs: refusedEarly('/n', 'must be integer'),
    },
    {
      what: 'of the framework refuse a choice that there is none of',
      tool: 'pipes__parsed',
      args: { n: 7, flag: true, kind: 'c' },
      http: 'GET /pipes/parsed/7?flag=true&kind=c',
      status: 400,
      view: refused('bad_request', 'Validation failed (enum string is expected)'),
      differs: refusedEarly('/kind', 'must be one of "a", "b"'),
    },
    {
      what: 'take a well-formed identifier',
      tool: 'pipes__byId',
      args: { id: '2f1e7a3c-6f0e-4c36-9d4f-0f6f3c1a2b3c' },
      http: 'GET /pipes/by-id/2f1e7a3c-6f0e-4c36-9d4f-0f6f3c1a2b3c',
      status: 200,
      view: content({ id: '2f1e7a3c-6f0e-4c36-9d4f-0f6f3c1a2b3c' }),
    },
    {
      what: 'have the last word on a format',
      tool: 'pipes__byId',
      args: { id: 'seven' },
      http: 'GET /pipes/by-id/seven',
      status: 400,
      view: refused('bad_request', 'Validation failed (uuid is expected)'),
    },
  ],
});
