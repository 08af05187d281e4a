import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, ValidationPipe } from '@nestjs/common';
import { IsInt, IsOptional, IsString, IsUUID } from 'class-validator';
import {
  AggregateQueryBody,
  getPaletteToken,
  InMemoryQueryExecutor,
  ListQueryBody,
  narrowedPolicy,
  Operation,
  OperationDispatcher,
  OperationsModule,
  QueryPolicy,
  toCursorPage,
  toPage,
  type AggregateQuery,
  type CallerContext,
  type ListQuery,
  type Palette,
} from 'nestjs-palette';
import request from 'supertest';
import { PLATFORMS, bootApplication, closeApplications, type Platform } from '../support/application.js';

@QueryPolicy<FilmRead>({
  filterable: ['title', 'year', 'rating'],
  sortable: ['rating', 'year'],
  aggregatable: ['year'],
})
class FilmRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsInt() year!: number;
  @IsInt() @IsOptional() rating!: number | null;
  @IsString() notes!: string;
}

const FILMS: readonly FilmRead[] = Array.from({ length: 7 }, (_, index) => ({
  id: `00000000-0000-4000-8000-00000000000${(index * 3) % 7}`,
  title: `Film & ${index}+${index}%`,
  year: 1990 + (index % 2),
  rating: index % 3 === 0 ? null : index % 2,
  notes: 'n',
}));

const SECRET = Symbol('secret');
const secrets = { provide: SECRET, useFactory: () => 'the secret of this one application' };

@Controller('films')
class FilmsController {
  readonly #executor = new InMemoryQueryExecutor<FilmRead>(FILMS);

  @Operation({ kind: 'query', description: 'List films.' })
  @Post('list')
  async list(@ListQueryBody(FilmRead) query: ListQuery<FilmRead>): Promise<unknown> {
    return toPage(query, await this.#executor.list(query));
  }

  @Operation({ kind: 'query', description: 'Find films.' })
  @Get('find')
  async find(@ListQueryBody(FilmRead) query: ListQuery<FilmRead>): Promise<unknown> {
    return toPage(query, await this.#executor.list(query));
  }

  @Operation({ kind: 'query', description: 'Count films.' })
  @Get('count')
  count(@AggregateQueryBody(FilmRead) query: AggregateQuery<FilmRead>): unknown {
    return this.#executor.aggregate(query);
  }

  @Operation({ kind: 'query', description: 'Count films.' })
  @Post('count')
  countPosted(@AggregateQueryBody(FilmRead) query: AggregateQuery<FilmRead>): unknown {
    return this.#executor.aggregate(query);
  }

  @Operation({ kind: 'query', description: 'Walk films.' })
  @Get('walk')
  async walk(
    @ListQueryBody(FilmRead, { paging: 'cursor', cursorSecret: { inject: SECRET } }) query: ListQuery<FilmRead>,
  ): Promise<unknown> {
    return toCursorPage(query, await this.#executor.list(query));
  }

  @Operation({ kind: 'query', description: 'Walk films.' })
  @Post('walk')
  async walkPosted(
    @ListQueryBody(FilmRead, { paging: 'cursor', cursorSecret: () => 'a secret that a function yields!' })
    query: ListQuery<FilmRead>,
  ): Promise<unknown> {
    return toCursorPage(query, await this.#executor.list(query));
  }
}

const OPERATIONS = ['list', 'find', 'count', 'countPosted', 'walk', 'walkPosted'] as const;

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({
      palettes: [
        { name: 'films', include: OPERATIONS.map((name) => `films.${name}`) },
        {
          name: 'narrow',
          include: ['films.find', 'films.walk'],
          sharedFilterGrammar: true,
          queryPolicies: [narrowedPolicy(FilmRead, { filterable: { year: ['$eq'] }, sortable: ['rating'] })],
        },
      ],
    }),
  ],
  controllers: [FilmsController],
  providers: [secrets],
})
class FilmsModule {}

const CALLER: CallerContext = { headers: {} };
const PAIRS = [
  ['find', 'list'],
  ['count', 'countPosted'],
  ['walk', 'walkPosted'],
] as const;

async function boot(platform: Platform) {
  const app = await bootApplication(
    platform,
    { imports: [FilmsModule] },
    {
      configure: (each) => {
        each.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true, forbidNonWhitelisted: true }));
      },
    },
  );
  const http = request(app.getHttpServer());
  const paletteOf = (name: string): Palette => app.get(getPaletteToken(name), { strict: false });
  const get = async (path: string, query: unknown) => {
    const { status, body } = await http.get(`/films/${path}?query=${encodeURIComponent(JSON.stringify(query))}`);
    return { status, body: body as Record<string, unknown> };
  };
  const post = async (path: string, query: unknown) => {
    const { status, body } = await http.post(`/films/${path}`).send(query as object);
    return { status: status === 201 ? 200 : status, body: body as Record<string, unknown> };
  };
  const call = (tool: string, args: unknown, palette = 'films') =>
    app
      .get(OperationDispatcher)
      .dispatch(
        { id: 'c', name: `films__${tool}`, arguments: args as never },
        { palette: paletteOf(palette), caller: CALLER },
      );
  return { app, http, get, post, call, paletteOf };
}

const pathOf = (name: string) => name.replace('Posted', '');
const LISTS: readonly unknown[] = [
  {},
  { filters: { $values: { title: { $like: 'Film & 3+3\\%' } } } },
  { filters: { $or: [{ $values: { rating: null } }, { $values: { year: [1991] } }] }, size: 2 },
  { sorts: { rating: { dir: 'desc', nulls: 'last' }, year: 'asc' }, select: ['id', 'title'] },
  { filters: { $values: { title: { $gt: 'a' }, body: 'x' } }, sorts: { title: 'asc' }, size: 0, select: ['no'] },
  { filters: { $values: { title: 'a\ud800' } } },
  { nope: 1 },
];
const AGGREGATES: readonly unknown[] = [
  { $groups: { y: 'year' }, $computed: { n: { $count: null } }, sorts: { n: 'desc' } },
  { $groups: { y: 'title' }, $computed: { n: { $median: 'year' } } },
  {},
];

describe.each(PLATFORMS)('queries in the URL on %s', (platform) => {
  afterEach(closeApplications);

  it('answer and refuse as those in the body, and tool calls of both as both', async () => {
    const { get, post, call } = await boot(platform);
    for (const [inUrl, inBody] of PAIRS) {
      for (const query of inUrl === 'count' ? AGGREGATES : LISTS) {
        const [got, posted] = [await get(pathOf(inUrl), query), await post(pathOf(inBody), query)];
        // Their secrets differ.
        for (const { body } of [got, posted]) if (typeof body['nextCursor'] === 'string') body['nextCursor'] = 'some';
        expect([inUrl, query, got]).toEqual([inUrl, query, posted]);
        const results = await Promise.all([call(inUrl, query), call(inBody, query)]);
        for (const result of results) {
          const content = { ...(result.content as object) } as Record<string, unknown>;
          if (typeof content['nextCursor'] === 'string') content['nextCursor'] = 'some';
          expect([inUrl, query, result.isError]).toEqual([inUrl, query, got.status === 400]);
          if (got.status === 200) expect(Array.isArray(got.body) ? result.content : content).toEqual(got.body);
        }
      }
    }
  });

  it('are refused, and not taken for none, where they are in the wrong place or no JSON', async () => {
    const { http } = await boot(platform);
    const some = encodeURIComponent('{"filters":{"$values":{"year":1990}}}');
    const refusals = await Promise.all([
      http.get(`/films/find?query=${some}&query=${some}`),
      http.get('/films/find?query={"size"'),
      http.get('/films/find?query='),
      http.get('/films/find?query=%E0%A4%A'),
      http.get('/films/find?size=2'),
      http.get('/films/find?filters=%7B%7D'),
      http.get('/films/find?query[size]=2'),
      http.get('/films/find?filters.title=x'),
      http.get('/films/walk?after=abc'),
      http.get('/films/count?%24groups=x'),
      http.get('/films/find').send({ size: 2 }),
      http.post(`/films/list?query=${some}`),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 400));
    // A key that is no part of a query is the application's own.
    expect((await http.get(`/films/find?lang=en&query=${some}`)).body).toMatchObject({ count: 4 });
    expect((await http.get('/films/find')).body).toMatchObject({ count: 7, page: 1 });
  });

  it('are told to a model as those in the body: the query itself, flat', async () => {
    const { paletteOf } = await boot(platform);
    const definitions = new Map(paletteOf('films').definitions.map((each) => [each.name, each]));
    for (const [inUrl, inBody] of PAIRS) {
      const [url, body] = [definitions.get(`films__${inUrl}`), definitions.get(`films__${inBody}`)];
      expect(url?.inputSchema).toEqual(body?.inputSchema);
    }
    expect(definitions.get('films__walk')?.description).toMatch(
      /^Walk films\. .* Cursor pagination: send nextCursor as after, or prevCursor as before\.$/,
    );
    expect(Object.keys(definitions.get('films__walk')?.inputSchema.properties ?? {}).sort()).toEqual([
      'after',
      'before',
      'filters',
      'select',
      'size',
      'sorts',
    ]);
  });

  it('walk by cursor, forward and back, over HTTP and in tool calls alike', async () => {
    const { get, call } = await boot(platform);
    const query = { sorts: { rating: { dir: 'asc', nulls: 'last' } }, size: 3, select: ['title'] };
    const pages: { hits: object[]; nextCursor: string | null; prevCursor: string | null }[] = [];
    for (let after: string | null | undefined; after !== null; after = pages.at(-1)?.nextCursor ?? null) {
      const next = { ...query, ...(after && { after }) };
      const { body } = await get('walk', next);
      expect((await call('walk', next)).content).toEqual(body);
      pages.push(body as never);
    }
    const titles = pages.flatMap((page) => page.hits);
    expect([titles.length, new Set(titles.map((each) => JSON.stringify(each))).size]).toEqual([7, 7]);
    const back = await get('walk', { ...query, before: pages[2]?.prevCursor });
    expect(back.body).toMatchObject({ hits: pages[1]?.hits, hasMore: true });
  });

  it('keep cursors to the palette that they were made under, also with a shared grammar', async () => {
    const { get, call, paletteOf } = await boot(platform);
    const query = { sorts: { rating: 'asc' }, size: 2 };
    const page = (await call('walk', query, 'narrow')).content as { nextCursor: string };
    const next = await call('walk', { ...query, after: page.nextCursor }, 'narrow');
    expect(next).toMatchObject({ isError: false, content: { prevCursor: expect.any(String) } });
    const refused = await get('walk', { ...query, after: page.nextCursor });
    expect(refused).toMatchObject({ status: 400, body: { code: 'cursor_invalid' } });
    const other = (await get('walk', query)).body['nextCursor'];
    expect(await call('walk', { ...query, after: other }, 'narrow')).toMatchObject({
      isError: true,
      content: { code: 'cursor_invalid' },
    });
    const told = paletteOf('narrow').definitions.map((each) => each.inputSchema.properties ?? {});
    expect(told.map((each) => each['filters'])).toEqual([1, 2].map(() => expect.objectContaining({ type: 'object' })));
    const grammar = JSON.stringify(paletteOf('narrow').filterGrammar);
    expect([grammar.includes('year'), grammar.includes('title')]).toEqual([true, false]);
  });
});
