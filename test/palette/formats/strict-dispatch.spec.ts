import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsDefined, IsInt, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  getPaletteToken,
  InMemoryQueryExecutor,
  ListQueryBody,
  Operation,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  QueryPolicy,
  toPage,
  type ListQuery,
  type Palette,
  type PaletteOptions,
  type ToolResult,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS } from '../../support/application.js';

class OptionsDto {
  @IsOptional() @IsString() a?: string;
}

class SearchDto {
  @IsString() q!: string;
  @IsInt() limit = 10;
  @IsOptional() @IsInt() offset?: number;
  @IsOptional() @IsString() sort?: string = 'title';
  @ValidateIf((_object, value) => value !== undefined) @IsString() lang?: string;
  @IsOptional() @ValidateNested() @Type(() => OptionsDto) opts?: OptionsDto;
}

class LineDto {
  @IsInt() sku!: number;
  @IsInt() count = 1;
  @ValidateIf((_object, value) => value !== undefined) @IsString() note?: string;
}

class OrderDto {
  @IsArray() @ValidateNested({ each: true }) @Type(() => LineDto) lines!: LineDto[];
  @IsDefined() @ValidateIf((_object, value) => value !== null) @IsString() comment!: string | null;
}

@QueryPolicy<NoteRead>({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: [] })
class NoteRead {
  @IsString() title!: string;
  @IsOptional() @IsString() category!: string | null;
}

const NOTES: readonly NoteRead[] = [
  { title: 'a', category: 'x' },
  { title: 'b', category: null },
];

let received: unknown;

@Controller('things')
class ThingsController {
  readonly #executor = new InMemoryQueryExecutor<NoteRead>();

  @Operation() @Post('search') search(@Body() body: SearchDto): void {
    received = { ...body };
  }

  @Operation() @Post('order') order(@Body() body: OrderDto): void {
    received = JSON.parse(JSON.stringify(body));
  }

  @Operation() @Patch('title') rename(@Body() body: OptionsDto): void {
    received = { ...body };
  }

  @Operation() @Get('page') page(@Query('size', new DefaultValuePipe(20), ParseIntPipe) size: number): void {
    received = size;
  }

  @Operation({ kind: 'query' }) @Post('list') async list(
    @ListQueryBody(NoteRead) query: ListQuery<NoteRead>,
  ): Promise<unknown> {
    return toPage(query, await this.#executor.list(query, NOTES));
  }
}

describe.each(PLATFORMS)('the nulls that a model writes in strict mode, on %s', (platform) => {
  let call: (palette: string, name: string, args: unknown) => Promise<ToolResult>;
  let paletteOf: (name: string) => Palette;

  beforeEach(async () => {
    received = undefined;
    const all = { readOnly: false, include: [operationsUnder('')] };
    const palettes: PaletteOptions[] = [
      { ...all, name: 'plain' },
      { ...all, name: 'strict', nullMeansAbsent: true },
      { ...all, name: 'shared', nullMeansAbsent: true, sharedFilterGrammar: true },
    ];
    const app = await bootApplication(
      platform,
      {
        imports: [OperationsModule.forRoot({}), OperationsModule.forFeature({ palettes })],
        controllers: [ThingsController],
      },
      { configure: (each) => each.useGlobalPipes(new ValidationPipe({ transform: true })) },
    );
    paletteOf = (name) => app.get<Palette>(getPaletteToken(name), { strict: false });
    call = (palette, name, args) =>
      app
        .get(OperationDispatcher)
        .dispatch({ id: '1', name, arguments: args }, { palette: paletteOf(palette), caller: { headers: {} } });
  });
  afterEach(closeApplications);

  const SEARCH = { q: 'x', limit: null, offset: null, sort: null, lang: null, opts: null };

  it('are left out where the application does not take them: defaults hold, and nothing is refused', async () => {
    expect(await call('plain', 'things__search', SEARCH)).toMatchObject({ isError: false });
    expect(received).toEqual({ q: 'x', limit: 10, offset: null, sort: null, opts: null });
    expect(received).not.toHaveProperty('lang');
  });

  it('are as over HTTP where the application takes them: @IsOptional() lets null through', async () => {
    expect(await call('plain', 'things__rename', { a: null })).toMatchObject({ isError: false });
    expect(received).toEqual({ a: null });
  });

  it('are all left out where the palette says that null means that: a patch changes what it names only', async () => {
    expect(await call('strict', 'things__search', SEARCH)).toMatchObject({ isError: false });
    expect(received).toEqual({ q: 'x', limit: 10, sort: 'title' });
    await call('strict', 'things__search', { ...SEARCH, opts: { a: null }, offset: 3 });
    expect(received).toEqual({ q: 'x', limit: 10, offset: 3, sort: 'title', opts: {} });
    await call('strict', 'things__rename', { a: null });
    expect(received).toEqual({});
  });

  it('are left out at all depths, and stay where null is a value that is asked for', async () => {
    const lines = [
      { sku: 1, count: null, note: null },
      { sku: 2, count: 5, note: 'n' },
    ];
    expect(await call('plain', 'things__order', { lines, comment: null })).toMatchObject({ isError: false });
    expect(received).toEqual({
      lines: [
        { sku: 1, count: 1 },
        { sku: 2, count: 5, note: 'n' },
      ],
      comment: null,
    });
  });

  it('are left out of a query string, for the pipe that knows the default', async () => {
    expect(await call('plain', 'things__page', { size: null })).toMatchObject({ isError: false });
    expect(received).toBe(20);
    await call('plain', 'things__page', { size: 5 });
    expect(received).toBe(5);
  });

  it.each([
    ['a required argument', { ...SEARCH, q: null }, /"pointer":"\/q"/],
    ['an unknown argument', { ...SEARCH, extra: null }, /"pointer":"\/extra"/],
  ])('are refused for %s', async (_what, args, details) => {
    const result = await call('strict', 'things__search', args);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(details);
    expect(received).toBeUndefined();
  });

  describe.each(['strict', 'shared'])('in a filter, through the palette %s', (palette) => {
    it('leave conditions out: those that are written count', async () => {
      const title = {
        $eq: 'a',
        $ilike: null,
        $in: null,
        $like: null,
        $neq: null,
        $nin: null,
        $null: null,
        $regex: null,
      };
      const filters = { $values: { title, category: null }, $and: null, $or: null, $not: null };
      const written = { page: null, size: null, filters, sorts: { title: null }, select: null };
      const result = await call(palette, 'things__list', written);
      expect(result).toMatchObject({ isError: false, content: { count: 1, hits: [{ title: 'a' }] } });
    });

    it('are asked for in words', async () => {
      const filters = { $values: { category: { $null: true } } };
      expect(await call(palette, 'things__list', { filters })).toMatchObject({ content: { hits: [{ title: 'b' }] } });
    });
  });

  it('are a condition of their own in a filter, through a palette that does not say otherwise', async () => {
    const filters = { $values: { category: null } };
    expect(await call('plain', 'things__list', { filters })).toMatchObject({ content: { hits: [{ title: 'b' }] } });
  });

  it('are what the strict form asks for, and nothing else is', () => {
    const [search] = paletteOf('strict').toOpenAI({ strict: true });
    expect(search?.function).toMatchObject({
      strict: true,
      parameters: {
        required: ['q', 'limit', 'offset', 'sort', 'lang', 'opts'],
        properties: {
          q: { type: 'string' },
          limit: { type: ['integer', 'null'], description: 'Null means 10.' },
          offset: { type: ['integer', 'null'] },
          sort: { type: ['string', 'null'], description: 'Null means "title".' },
          lang: { type: ['string', 'null'] },
          opts: { anyOf: [{ $ref: '#/$defs/OptionsDto' }, { type: 'null' }] },
        },
      },
    });
    const plain = paletteOf('plain').toOpenAI({ strict: true });
    expect(plain.map((tool) => [tool.function.name, tool.function.strict])).toEqual([
      ['things__search', false],
      ['things__order', true],
      ['things__rename', false],
      ['things__page', true],
      ['things__list', false],
    ]);
  });
});
