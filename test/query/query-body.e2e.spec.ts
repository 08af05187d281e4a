import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, Post, ValidationPipe, type INestApplication, type Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { IsString, IsUUID } from 'class-validator';
import request from 'supertest';
import {
  AggregateQueryBody,
  InMemoryQueryExecutor,
  ListQueryBody,
  QueryPolicy,
  toPage,
  type AggregateQuery,
  type ListQuery,
} from '../../lib/query/index.js';

@QueryPolicy({ filterable: ['title', 'category'], sortable: ['title'], aggregatable: ['category'] })
class NoteRead {
  @IsUUID() id!: string;
  @IsString() title!: string;
  @IsString() category!: string;
  @IsString() body!: string;
}

const notes: NoteRead[] = ['a', 'b', 'c'].map((title, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  title,
  category: index === 0 ? 'work' : 'home',
  body: `body ${title}`,
}));

@Controller('notes')
class NotesController {
  private readonly executor = new InMemoryQueryExecutor<NoteRead>(notes);

  @Post('list')
  async list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>) {
    return toPage(query, await this.executor.list(query));
  }

  @Post('aggregate')
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>) {
    return this.executor.aggregate(query);
  }
}

@Module({ controllers: [NotesController] })
class NotesModule {}

const platforms: [string, () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
];

describe.each(platforms)('query bodies on %s', (_name, adapter) => {
  let app: INestApplication;

  async function start(module: Type): Promise<ReturnType<typeof request>> {
    app = await NestFactory.create(module, adapter(), { logger: false });
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true, forbidNonWhitelisted: true }));
    await app.listen(0);
    return request(app.getHttpServer());
  }

  afterEach(() => app.close());

  it('binds a list query past the global pipe', async () => {
    const http = await start(NotesModule);
    const response = await http
      .post('/notes/list')
      .send({ filters: { $values: { category: 'home' } }, sorts: { title: 'desc' }, size: 1 });
    expect(response.body).toEqual({ hits: [notes[2]], page: 1, size: 1, count: 2 });
  });

  it('binds an aggregate query past the global pipe', async () => {
    const http = await start(NotesModule);
    const response = await http
      .post('/notes/aggregate')
      .send({ $groups: { category: 'category' }, $computed: { n: { $count: null } } });
    expect(response.body).toEqual([
      { category: 'home', n: 2 },
      { category: 'work', n: 1 },
    ]);
  });

  it('answers a bad query with 400 and all its issues', async () => {
    const http = await start(NotesModule);
    const response = await http
      .post('/notes/list')
      .send({ filters: { $values: { body: 'x', title: { $gt: 'a' } } }, sorts: { category: 'asc' }, size: 0 });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      statusCode: 400,
      code: 'field_not_filterable',
      details: [
        {
          code: 'field_not_filterable',
          pointer: '/filters/$values/body',
          field: 'body',
          allowed: ['category', 'title'],
        },
        { code: 'filter_operator_not_allowed', pointer: '/filters/$values/title/$gt', field: 'title', operator: '$gt' },
        { code: 'field_not_sortable', pointer: '/sorts/category', field: 'category', allowed: ['title'] },
        { code: 'page_invalid', pointer: '/size', allowed: [1, 100] },
      ],
    });
  });
});
