import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Post, ValidationPipe } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
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
import { PLATFORMS, bootApplication, closeApplications } from '../support/application.js';
import { NoteRead } from './product-read.js';

class OpenRead {
  @IsInt() id!: number;
  @IsString() title!: string;
}

const notes: NoteRead[] = ['a', 'b', 'c'].map((title, index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  title,
  category: index === 0 ? 'work' : 'home',
  body: `body ${title}`,
}));

let calls: unknown[] = [];

@Controller('notes')
class NotesController {
  private readonly executor = new InMemoryQueryExecutor<NoteRead>(notes);

  @Post('list')
  async list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>) {
    calls.push(query);
    return toPage(query, await this.executor.list(query));
  }

  @Post('aggregate')
  aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>) {
    return this.executor.aggregate(query);
  }

  @QueryPolicy<NoteRead>({ sortable: [], filterable: { title: ['$eq'] } })
  @Post('narrow')
  narrow(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>) {
    return this.executor.list(query);
  }

  @QueryPolicy<OpenRead>({ filterable: ['title'], maxSize: 200 })
  @Post('declared-here')
  declaredHere(@ListQueryBody(OpenRead) query: ListQuery<OpenRead>) {
    return query.paging;
  }

  @QueryPolicy<NoteRead>({ filterable: ['body'] })
  @Post('wide')
  wide(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>) {
    calls.push(query);
  }
}

describe.each(PLATFORMS)('query bodies on %s', (platform) => {
  afterEach(async () => {
    calls = [];
    await closeApplications();
  });

  async function http() {
    const app = await bootApplication(
      platform,
      { controllers: [NotesController] },
      {
        configure: (each) => {
          each.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true, forbidNonWhitelisted: true }));
        },
      },
    );
    return request(app.getHttpServer());
  }

  it('bind a list query, and the global pipe leaves it alone', async () => {
    const response = await (
      await http()
    )
      .post('/notes/list')
      .send({ filters: { $values: { category: 'home' } }, sorts: { title: 'desc' }, size: 1 });
    expect(response.body).toEqual({ hits: [notes[2]], page: 1, size: 1, count: 2 });
    expect(calls).toEqual([expect.objectContaining({ form: 'list', paging: expect.objectContaining({ size: 1 }) })]);
  });

  it('bind an aggregate query', async () => {
    const response = await (
      await http()
    )
      .post('/notes/aggregate')
      .send({ $groups: { category: 'category' }, $computed: { n: { $count: null } } });
    expect(response.body).toEqual([
      { category: 'home', n: 2 },
      { category: 'work', n: 1 },
    ]);
  });

  it('answer a bad query with 400 and all its issues, before the handler runs', async () => {
    const response = await (
      await http()
    )
      .post('/notes/list')
      .send({ filters: { $values: { body: 'x', title: { $gt: 'a' } } }, sorts: { category: 'asc' }, size: 0 });
    expect([response.status, calls]).toEqual([400, []]);
    expect(response.body).toEqual({
      statusCode: 400,
      code: 'field_not_filterable',
      message: expect.stringMatching(/^The query filters by a field/),
      details: [
        {
          code: 'field_not_filterable',
          pointer: '/filters/$values/body',
          field: 'body',
          allowed: ['category', 'title'],
        },
        {
          code: 'filter_operator_not_allowed',
          pointer: '/filters/$values/title/$gt',
          field: 'title',
          operator: '$gt',
          allowed: ['$eq', '$ilike', '$in', '$like', '$neq', '$nin', '$null', '$regex'],
        },
        { code: 'field_not_sortable', pointer: '/sorts/category', field: 'category', allowed: ['title'] },
        { code: 'page_invalid', pointer: '/size', allowed: [1, 100] },
      ],
    });
  });

  it('ask for the first page where there is no body', async () => {
    const response = await (await http()).post('/notes/list');
    expect(response.body).toMatchObject({ count: 3, page: 1 });
  });

  it('refuse a body that nobody parsed, rather than take it for none', async () => {
    const response = await (
      await http()
    )
      .post('/notes/list')
      .set('content-type', 'text/x-query')
      .send('{"filters": {"$values": {"category": "home"}}}');
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(calls).toEqual([]);
  });

  it.each(['[]', '"x"', '{"filters": {"$values": {"title": {"__proto__": {}}}}}', '{"__proto__": {"size": 1}}'])(
    'refuse the body %s',
    async (body) => {
      const response = await (await http()).post('/notes/list').set('content-type', 'application/json').send(body);
      expect([response.status, calls]).toEqual([400, []]);
    },
  );

  it('follow the policy of the method where it narrows', async () => {
    const agent = await http();
    const refused = await agent
      .post('/notes/narrow')
      .send({ filters: { $values: { title: { $like: 'a' } } }, sorts: { title: 'asc' } });
    expect(refused.body.details).toMatchObject([
      { code: 'filter_operator_not_allowed', allowed: ['$eq'] },
      { code: 'field_not_sortable', allowed: [] },
    ]);
    const response = await agent.post('/notes/narrow').send({ filters: { $values: { title: 'a' } } });
    expect(response.body).toMatchObject({ total: 1 });
  });

  it('follow the policy of the method where the read model has none', async () => {
    const agent = await http();
    expect((await agent.post('/notes/declared-here').send({ size: 200 })).body).toMatchObject({ size: 200 });
    expect((await agent.post('/notes/declared-here').send({ filters: { $values: { id: 1 } } })).status).toBe(400);
  });

  it('run nothing under a policy that is faulty', async () => {
    const response = await (await http()).post('/notes/wide').send({});
    expect([response.status, calls]).toEqual([500, []]);
  });
});

describe('the parameter of a query', () => {
  it('has the emitted type Object, which pipes do not transform', () => {
    expect(Reflect.getMetadata('design:paramtypes', NotesController.prototype, 'list')).toEqual([Object]);
    expect(Reflect.getMetadata('design:paramtypes', NotesController.prototype, 'aggregate')).toEqual([Object]);
  });
});
