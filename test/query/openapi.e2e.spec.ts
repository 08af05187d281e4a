import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { ApiExtension, ApiOperation, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  AggregateQueryBody,
  getPaletteToken,
  ListQueryBody,
  Operation,
  OperationsModule,
  QueryPolicy,
  type AggregateQuery,
  type ListQuery,
  type Palette,
} from 'nestjs-palette';
import { PLATFORMS, bootApplication, closeApplications, type Platform } from '../support/application.js';
import { NoteRead } from './product-read.js';

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query', description: 'List notes.' })
  @ApiOperation({ summary: 'Lists notes' })
  @Post('list')
  list(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>): void {}

  @QueryPolicy<NoteRead>({ filterable: { title: ['$eq', '$null'] }, maxSize: 7 })
  @Operation({ kind: 'query', description: 'Find notes.' })
  @ApiExtension('x-mine', { kept: true })
  @Get('find')
  find(@ListQueryBody(NoteRead, { paging: 'cursor' }) _query: ListQuery<NoteRead>): void {}

  @Operation({ kind: 'query', description: 'Count notes.' })
  @Post('count')
  count(@AggregateQueryBody(NoteRead) _query: AggregateQuery<NoteRead>): void {}
}

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({
      palettes: [{ name: 'notes', include: ['notes.list', 'notes.find', 'notes.count'] }],
    }),
  ],
  controllers: [NotesController],
})
class NotesModule {}

type Json = Record<string, unknown>;

async function documentOn(platform: Platform) {
  const app = await bootApplication(platform, { imports: [NotesModule] });
  const config = new DocumentBuilder().setTitle('Notes').setOpenAPIVersion('3.1.0').build();
  const document = JSON.parse(JSON.stringify(SwaggerModule.createDocument(app, config))) as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Record<string, Json> };
  };
  const palette: Palette = app.get(getPaletteToken('notes'), { strict: false });
  return { document, palette };
}

/** Judges by the schema at a pointer of the document, as a client of it would. */
function judgeOf(document: Awaited<ReturnType<typeof documentOn>>['document'], name: string) {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'https://notes.example/openapi.json', ...document } as object);
  return ajv.compile({ $ref: `https://notes.example/openapi.json#/components/schemas/${name}` });
}

describe.each(PLATFORMS)('an OpenAPI document on %s', (platform) => {
  afterEach(closeApplications);

  it('tells the policy of each query, with the sentence that a model is told', async () => {
    const { document, palette } = await documentOn(platform);
    for (const [path, verb, tool] of [
      ['/notes/list', 'post', 'notes__list'],
      ['/notes/find', 'get', 'notes__find'],
      ['/notes/count', 'post', 'notes__count'],
    ] as const) {
      const { sentence } = document.paths[path]?.[verb]?.['x-query-policy'] as { sentence: string };
      const { description } = palette.definitions.find((each) => each.name === tool) ?? { description: '' };
      expect(sentence.length).toBeGreaterThan(50);
      expect(description.endsWith(` ${sentence}`)).toBe(true);
    }
    expect(document.paths['/notes/find']?.['get']).toMatchObject({
      'x-mine': { kept: true },
      'x-query-policy': {
        form: 'list',
        paging: 'cursor',
        filterable: { title: ['$eq', '$null'] },
        sortable: ['title'],
        aggregatable: { category: ['group', '$count_distinct', '$max', '$min'] },
        returnable: ['id', 'title', 'category', 'body'],
        maxSize: 7,
      },
    });
    expect(document.paths['/notes/list']?.['post']).toMatchObject({ summary: 'Lists notes' });
  });

  it('shows the schema of the body, and of the one parameter', async () => {
    const { document } = await documentOn(platform);
    expect(document.paths['/notes/list']?.['post']).toMatchObject({
      parameters: [],
      requestBody: {
        required: false,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NotesController_list_query' } } },
      },
    });
    const { parameters, requestBody } = document.paths['/notes/find']?.['get'] ?? {};
    expect(requestBody).toBeUndefined();
    expect(parameters).toEqual([
      {
        in: 'query',
        name: 'query',
        required: false,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NotesController_find_query' } } },
      },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['list', { filters: { $not: { $values: { title: { $like: 'a%' } } } }, page: 2 }, { after: 'abc' }],
    [
      'find',
      { filters: { $values: { title: 'a' } }, after: 'abc' },
      { filters: { $values: { title: { $like: 'a' } } } },
    ],
    ['count', { $groups: { c: 'category' }, $computed: { n: { $count: null } } }, { $groups: { c: 'title' } }],
  ])('has a schema of %s that accepts and refuses as the policy says', async (name, good, bad) => {
    const { document } = await documentOn(platform);
    const judge = judgeOf(document, `NotesController_${name}_query`);
    expect([judge(good), judge(bad), judge({ nope: 1 })]).toEqual([true, false, false]);
    const schemas = JSON.stringify(document.components.schemas);
    const references = [...schemas.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, each]) => each ?? '');
    expect(references.filter((each) => !Object.hasOwn(document.components.schemas, each))).toEqual([]);
    expect(schemas).not.toContain('$defs');
  });
});
