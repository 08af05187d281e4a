import { afterEach, describe, expect, it } from '@jest/globals';
import { ClassSerializerInterceptor, Controller, Post, StreamableFile, type INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Exclude, Expose } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import { InMemoryQueryExecutor, ListQueryBody, Operation, QueryPolicy, toPage, type ListQuery } from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

@QueryPolicy({ filterable: ['title'] })
class AccountRead {
  @IsInt() id!: number;
  @IsString() title!: string;
  @Exclude() @IsString() passwordHash!: string;
  @Exclude({ toClassOnly: true }) @IsString() onlyOut!: string;
}

/** Everything is hidden but what is exposed, told by a decorator or not. */
@Exclude()
@QueryPolicy({ filterable: ['title'] })
class ClosedRead {
  @Expose() @IsInt() id!: number;
  @Expose() @IsString() title!: string;
  @IsString() passwordHash!: string;
}

const accounts = [1, 2].map((id) => ({ id, title: `t${id}`, passwordHash: 'hunter2', onlyOut: 'o', url: `/${id}` }));
const instances = accounts.map((account) => Object.assign(new AccountRead(), account));

@Controller('accounts')
class AccountsController {
  private readonly executor = new InMemoryQueryExecutor<AccountRead>(accounts);

  @Operation({ name: 'page', kind: 'query' })
  @Post('page')
  async page(@ListQueryBody(AccountRead) query: ListQuery<AccountRead>) {
    return toPage(query, await this.executor.list(query));
  }

  @Operation({ name: 'instances', kind: 'query' })
  @Post('instances')
  async instances(@ListQueryBody(AccountRead) query: ListQuery<AccountRead>) {
    return toPage(query, await this.executor.list(query, instances));
  }

  @Operation({ name: 'rows', kind: 'query' })
  @Post('rows')
  rows(@ListQueryBody(AccountRead) _query: ListQuery<AccountRead>) {
    return accounts;
  }

  @Operation({ name: 'one', kind: 'query' })
  @Post('one')
  one(@ListQueryBody(AccountRead) _query: ListQuery<AccountRead>) {
    return accounts[0];
  }

  @Operation({ name: 'closed', kind: 'query' })
  @Post('closed')
  closed(@ListQueryBody(ClosedRead) _query: ListQuery<ClosedRead>) {
    return accounts.map((account) => ({ ...account, salt: 'pepper' }));
  }

  @Post('csv')
  csv(@ListQueryBody(AccountRead) _query: ListQuery<AccountRead>) {
    return new StreamableFile(Buffer.from('id,title'));
  }
}

const serialize = (app: INestApplication) =>
  void app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));

describe.each(PLATFORMS)('what a read model hides on %s', (platform) => {
  afterEach(closeApplications);

  const kept = accounts.map(({ passwordHash: _, ...row }) => row);
  const page = { hits: kept, page: 1, size: 20, count: 2 };
  const told: readonly (readonly [string, unknown])[] = [
    ['page', page],
    ['instances', page],
    ['rows', kept],
    ['one', kept[0]],
    ['closed', accounts.map(({ id, title }) => ({ id, title }))],
  ];

  it.each([
    ['without a serializer', undefined],
    ['with the ClassSerializerInterceptor', serialize],
  ])('reaches neither a model nor an HTTP caller, %s', async (_what, configure) => {
    const options = configure === undefined ? {} : { configure };
    const { app, call } = await bootDispatching(platform, { controllers: [AccountsController] }, options);
    for (const [name, expected] of told) {
      const response = await request(app.getHttpServer()).post(`/accounts/${name}`).send({});
      expect([name, response.status, response.body]).toEqual([name, 201, expected]);
      expect([name, await call(name)]).toEqual([name, expect.objectContaining({ isError: false, content: expected })]);
    }
  });

  it('is not told, not selected, and no reason to answer with no file', async () => {
    const { app, palette, call } = await bootDispatching(platform, { controllers: [AccountsController] });
    expect(JSON.stringify(palette.definitions)).not.toContain('passwordHash');
    expect(await call('page', { select: ['passwordHash'] })).toMatchObject({ isError: true });
    const csv = await request(app.getHttpServer()).post('/accounts/csv').send({});
    expect([csv.status, String(csv.body)]).toEqual([201, 'id,title']);
  });
});
