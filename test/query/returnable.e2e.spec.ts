import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ClassSerializerInterceptor,
  Controller,
  Get,
  Header,
  Post,
  StreamableFile,
  type INestApplication,
  type NestMiddleware,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Transform } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import request from 'supertest';
import { BootFaults, rawRequestOf } from '../../lib/common/index.js';
import { declaredInputs } from '../../lib/operations/index.js';
import {
  InMemoryQueryExecutor,
  ListQueryBody,
  QueryInput,
  QueryPolicy,
  carryQueryPolicy,
  toPage,
  type ListQuery,
  type QueryPolicyAxes,
} from '../../lib/query/index.js';
import { NoteRead, policyOf } from './product-read.js';
import { PLATFORMS, bootApplication, closeApplications } from '../support/application.js';

@QueryPolicy({ returnable: ['id', 'title'], filterable: ['id', 'title', 'salary'] })
class StaffRead {
  @IsInt() id!: number;
  @IsString() title!: string;
  @IsInt() salary!: number;
}

class StaffEntity extends StaffRead {
  @Transform(({ value }) => `*${String(value)}*`) declare title: string;
  password = 'hunter2';
}

const staff = [1, 2].map((id) => Object.assign(new StaffEntity(), { id, title: `t${id}`, salary: id * 100 }));

@Controller('staff')
class StaffController {
  private readonly executor = new InMemoryQueryExecutor<StaffEntity>(staff);

  @Post('page')
  async page(@ListQueryBody(StaffRead) query: ListQuery<StaffRead>) {
    return toPage(query, await this.executor.list(query));
  }

  @Post('rows')
  rows(@ListQueryBody(StaffRead) _query: ListQuery<StaffRead>) {
    return staff;
  }

  @Post('one')
  one(@ListQueryBody(StaffRead) _query: ListQuery<StaffRead>) {
    return staff[0];
  }

  @QueryPolicy<StaffRead>({ returnable: ['id'] })
  @Post('narrow')
  narrow(@ListQueryBody(StaffRead) query: ListQuery<StaffRead>) {
    return this.executor.list(query);
  }

  @Post('csv')
  @Header('content-type', 'text/csv')
  csv(@ListQueryBody(StaffRead) _query: ListQuery<StaffRead>) {
    return new StreamableFile(Buffer.from('id,salary'));
  }

  @Get('free')
  free() {
    return staff.map(({ id, salary }) => ({ id, salary }));
  }
}

describe.each(PLATFORMS)('returnable on %s', (platform) => {
  let app: INestApplication;
  afterEach(closeApplications);

  async function post(path: string, body: object = {}, configure?: (app: INestApplication) => void) {
    app = await bootApplication(platform, { controllers: [StaffController] }, configure ? { configure } : {});
    return request(app.getHttpServer()).post(`/staff/${path}`).send(body);
  }

  it.each([
    [
      'page',
      {
        hits: [
          { id: 1, title: 't1' },
          { id: 2, title: 't2' },
        ],
        page: 1,
        size: 20,
        count: 2,
      },
    ],
    [
      'rows',
      [
        { id: 1, title: 't1' },
        { id: 2, title: 't2' },
      ],
    ],
    ['one', { id: 1, title: 't1' }],
    ['narrow', { rows: [{ id: 1 }, { id: 2 }], hasMore: false, total: 2 }],
  ])('is kept, whatever the handler answers with: %s', async (path, expected) => {
    expect((await post(path)).body).toEqual(expected);
  });

  it('leaves other methods alone', async () => {
    app = await bootApplication(platform, { controllers: [StaffController] });
    const response = await request(app.getHttpServer()).get('/staff/free');
    expect(response.body).toEqual([
      { id: 1, salary: 100 },
      { id: 2, salary: 200 },
    ]);
  });

  it('is narrowed by what the query selects, and by nothing else', async () => {
    expect((await post('page', { select: ['title'] })).body).toMatchObject({
      hits: [{ title: 't1' }, { title: 't2' }],
    });
    const refused = await post('page', { select: ['salary'] });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ code: 'field_not_returnable' })]);
  });

  it('lets the serializer of the application mask as before', async () => {
    const response = await post('page', {}, (each) =>
      each.useGlobalInterceptors(new ClassSerializerInterceptor(each.get(Reflector))),
    );
    expect(response.body).toMatchObject({
      hits: [
        { id: 1, title: '*t1*' },
        { id: 2, title: '*t2*' },
      ],
    });
    expect(JSON.stringify(response.body)).not.toMatch(/salary|hunter2/);
  });

  it('answers 500 rather than with bytes in which it cannot be kept', async () => {
    const response = await post('csv');
    expect(response.status).toBe(500);
    expect(JSON.stringify(response.body)).not.toContain('salary');
  });

  it('is not given up for a policy of another read model that the request carries', async () => {
    const carry: NestMiddleware['use'] = (incoming: unknown, _response, next) => {
      carryQueryPolicy(rawRequestOf(incoming) as object, policyOf(NoteRead));
      next();
    };
    const response = await post('rows', {}, (each) => void each.use(carry));
    expect(response.status).toBe(500);
  });

  it('is narrowed by the policy that the request carries', async () => {
    const narrowing = { returnable: ['title'], filterable: ['id'] } as const;
    const carry: NestMiddleware['use'] = (incoming: unknown, _response, next) => {
      carryQueryPolicy(rawRequestOf(incoming) as object, narrowed('page', narrowing));
      next();
    };
    const configure = (each: INestApplication) => void each.use(carry);
    expect((await post('page', {}, configure)).body).toMatchObject({ hits: [{ title: 't1' }, { title: 't2' }] });
    const refused = await post('page', { filters: { $values: { salary: 100 } } }, configure);
    expect(refused.body).toMatchObject({ code: 'field_not_filterable', details: [{ allowed: ['id'] }] });
  });
});

function narrowed(method: string, narrowing: QueryPolicyAxes<string>) {
  const input = [...declaredInputs(StaffController.prototype, method).values()][0] as QueryInput;
  const { policy, widened } = input.describeFor(StaffController.prototype, method, narrowing, {
    faults: new BootFaults(),
    where: 'palette "a"',
  });
  expect(widened).toEqual([]);
  return policy;
}
