import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../../support/application.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from '../../support/same-answer.js';
import { bootFixture, expectStrictSchemas, openPlaces, refusalsOf } from '../support/described-application.js';
import { ledger } from './application.js';
import { ImportsController } from './controllers.js';

const OWNER = { authorization: 'Bearer owner' };
const OWNER_V2 = { ...OWNER, 'x-api-version': '2' };
const CLERK_V2 = { authorization: 'Bearer clerk', 'x-api-version': '2' };
const ID = '6f1ed002-ab5c-4d3e-9f00-1a2b3c4d5e6f';
const TASK = {
  title: 'Close the books',
  priority: 2,
  estimate: 1.5,
  dueDate: '2024-01-31',
  tags: [{ name: 'year', color: '#aabbcc' }],
  memberIds: [ID],
  organizationId: ID,
};
const INVOICE = {
  number: 'EU-0001',
  currency: 'EUR',
  lines: [{ what: 'tea', count: 2, price: 3.5 }],
  to: { name: 'Ada', hasMail: false, billing: 7 },
};

const ROWS: readonly AnswerRow[] = [
  {
    what: 'a version by header, a body of joined types',
    tool: 'tasks__create',
    args: TASK,
    http: 'POST /tasks',
    body: TASK,
    headers: OWNER_V2,
    status: 202,
    answer: TASK,
  },
  {
    what: 'a permission of the method',
    tool: 'tasks__create',
    args: TASK,
    http: 'POST /tasks',
    body: TASK,
    headers: CLERK_V2,
    status: 403,
    answer: { message: 'tasks.add is missing' },
  },
  {
    what: 'a number that only the application refuses',
    tool: 'tasks__create',
    args: { ...TASK, estimate: 1.555 },
    http: 'POST /tasks',
    body: { ...TASK, estimate: 1.555 },
    headers: OWNER_V2,
    status: 400,
    answer: { message: [expect.stringContaining('estimate')] },
  },
  {
    what: 'pages, by a pipe of the method',
    tool: 'tasks__mine',
    args: { take: 5, withDeleted: true, relations: ['members', 'tags'] },
    http: 'GET /tasks/me?take=5&withDeleted=true&relations=members&relations=tags',
    headers: CLERK_V2,
    status: 200,
    answer: { name: 'clerk', take: 5, withDeleted: true, relations: ['members', 'tags'] },
  },
  {
    what: 'pages that a base class lists, with their default',
    tool: 'tasks__list',
    http: 'GET /tasks',
    headers: CLERK_V2,
    status: 200,
    answer: { items: [], take: 20 },
  },
  {
    what: 'a count, whose query no pipe looks at',
    tool: 'tasks__count',
    args: { withDeleted: true },
    http: 'GET /tasks/count?withDeleted=true',
    headers: CLERK_V2,
    status: 200,
    answer: { count: 2, withDeleted: 'true' },
  },
  {
    what: 'an id by a pipe that was derived from Nest’s',
    tool: 'tasks__read',
    args: { id: 'seven' },
    http: 'GET /tasks/seven',
    headers: CLERK_V2,
    status: 406,
    answer: { message: 'No such id' },
  },
  {
    what: 'a part of a body',
    tool: 'tasks__update',
    args: { id: ID, title: 'Open the books', priority: 0 },
    http: `PUT /tasks/${ID}`,
    body: { title: 'Open the books', priority: 0 },
    headers: CLERK_V2,
    status: 202,
    answer: { id: ID, title: 'Open the books', priority: 0 },
  },
  {
    what: 'a query that a pipe of the method takes for a class',
    tool: 'tasks__softRemove',
    args: { id: ID, organizationId: ID },
    http: `DELETE /tasks/${ID}/soft?organizationId=${ID}`,
    headers: CLERK_V2,
    status: 202,
    answer: { id: ID, tenant: { organizationId: ID } },
  },
  { what: 'nobody signed in', tool: 'tasks__list', http: 'GET /tasks', headers: { 'x-api-version': '2' }, status: 401 },
  {
    what: 'a user, whole and in part',
    tool: 'accounts__me',
    http: 'GET /account',
    headers: OWNER,
    status: 200,
    answer: { name: 'owner', user: { name: 'owner', tenant: 'acme' } },
  },
  {
    what: 'a body in an envelope, by a handmade pipe',
    tool: 'accounts__create',
    args: { account: { username: 'ada', mail: 'a@example.com', secret: 'x' } },
    http: 'POST /accounts',
    body: { account: { username: 'ada', mail: 'a@example.com', secret: 'x' } },
    status: 201,
    answer: { account: { username: 'ada', mail: 'a@example.com' } },
  },
  {
    what: 'an empty body, which the handmade pipe refuses',
    tool: 'accounts__create',
    http: 'POST /accounts',
    body: {},
    status: 400,
    answer: { message: 'No data' },
  },
  {
    what: 'a path as one object',
    tool: 'accounts__remove',
    args: { slug: 'ada king' },
    http: 'DELETE /accounts/ada%20king',
    status: 200,
    answer: { slug: 'ada king' },
  },
  {
    what: 'an open query, of which one name is documented',
    tool: 'accounts__list',
    args: { query: { limit: 5, author: 'ada' } },
    http: 'GET /accounts?limit=5&author=ada',
    status: 200,
    answer: { limit: '5', author: 'ada' },
  },
  {
    what: 'a list as a body, in an envelope, under the prefix of its module',
    tool: 'imports__invoices',
    args: { body: [INVOICE] },
    http: 'POST /office/imports/invoices',
    body: [INVOICE],
    status: 201,
    answer: { data: { count: 1, source: null, isJson: true } },
  },
  {
    what: 'request, address and session',
    tool: 'imports__last',
    http: 'GET /office/imports/last',
    status: 200,
    answer: { data: { method: 'GET', hasAddress: true, hasSession: false } },
  },
];

describe.each(PLATFORMS)('a ledger: inherited operations, pipes of methods, envelopes, on %s', (platform) => {
  afterEach(closeApplications);

  it('has the operations of a controller before those it inherits, and each once', async () => {
    const { catalogue } = await bootFixture(platform, ledger());
    const names = [...catalogue.operations.keys()];
    expect(names.filter((name) => name.startsWith('tasks.'))).toEqual([
      ...['tasks.mine', 'tasks.create', 'tasks.update', 'tasks.remove'],
      ...['tasks.count', 'tasks.list', 'tasks.read', 'tasks.softRemove'],
    ]);
    expect(catalogue.operations.get('tasks.create')?.description).toBe('Create a task.');
    expect(catalogue.operations.get('tasks.read')?.description).toBe('Read a row');
  });

  it('tells joined, partial and picked types', async () => {
    const { schemaOf } = await bootFixture(platform, ledger());
    expect(schemaOf('tasks.create')).toMatchObject({
      properties: {
        title: { type: 'string', minLength: 1 },
        priority: { type: 'integer', enum: [0, 1, 2] },
        estimate: { type: ['number', 'null'], exclusiveMinimum: 0, description: 'At most 2 decimal places.' },
        dueDate: { anyOf: [{ format: 'date' }, { format: 'date-time' }, { type: 'null' }] },
        tags: { type: ['array', 'null'], items: { $ref: '#/$defs/TagDto' } },
        memberIds: { items: { type: 'string', format: 'uuid' } },
        tenantId: { type: ['string', 'null'], format: 'uuid' },
        organizationId: { type: 'string', format: 'uuid' },
      },
      required: ['title', 'priority', 'organizationId'],
    });
    expect(schemaOf('tasks.update')).toMatchObject({
      properties: { priority: { enum: [0, 1, 2, null] } },
      required: ['id'],
    });
    expect(schemaOf('tasks.update')).not.toHaveProperty('properties.organizationId');
    expect(Object.keys((schemaOf('tasks.count') as { properties: object }).properties)).toEqual([
      'withDeleted',
      'where',
    ]);
  });

  it('tells pages that a base class lists', async () => {
    const { schemaOf } = await bootFixture(platform, ledger());
    expect(schemaOf('tasks.list')).toEqual(schemaOf('tasks.mine'));
    expect(schemaOf('tasks.list')).toMatchObject({
      properties: {
        relations: { type: ['array', 'null'], items: { type: 'string' }, maxItems: 5 },
        take: { type: ['integer', 'null'], minimum: 1, maximum: 100, default: 20 },
        where: { type: ['object', 'null'] },
      },
    });
  });

  it('tells the class that a pipe of the method takes a query for', async () => {
    const { schemaOf } = await bootFixture(platform, ledger());
    expect(schemaOf('tasks.softRemove')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        tenantId: { type: ['string', 'null'], format: 'uuid' },
        organizationId: { type: 'string', format: 'uuid' },
      },
      required: ['id', 'organizationId'],
      additionalProperties: false,
    });
  });

  it('tells an envelope, and a list whose items documentation knows', async () => {
    const { schemaOf } = await bootFixture(platform, ledger());
    expect(schemaOf('accounts.create')).toMatchObject({
      properties: { account: { $ref: '#/$defs/AccountDto' } },
      $defs: { AccountDto: { required: ['username', 'mail', 'secret'] } },
    });
    expect(schemaOf('imports.invoices')).toMatchObject({
      properties: { body: { type: 'array', items: { $ref: '#/$defs/InvoiceFieldsDto' } } },
      $defs: {
        InvoiceFieldsDto: {
          properties: {
            number: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
            lines: { items: { $ref: '#/$defs/InvoiceLineDto' } },
            to: { anyOf: [{ $ref: '#/$defs/ContactFieldsDto' }, { type: 'null' }] },
          },
        },
      },
    });
  });

  it('takes nothing from a tool call for headers, session, address, user and request', async () => {
    const { schemaOf } = await bootFixture(platform, ledger());
    const nothing = { type: 'object', properties: {}, additionalProperties: false };
    expect([schemaOf('accounts.me'), schemaOf('imports.last')]).toEqual([nothing, nothing]);
  });

  it('reports what it leaves open, by class and property', async () => {
    const booted = await bootFixture(platform, ledger());
    expect(openPlaces(booted)).toEqual([
      'AccountsController.list, parameter 0',
      'ContactFieldsDto.billing',
      'CountDto.withDeleted',
      'CreateTaskDto.estimate',
      'ImportsController.invoices, parameter 0',
      'PageParamsDto.withDeleted',
      'UpdateTaskDto.estimate',
    ]);
    expect(booted.gapsOf('imports.invoices')['ContactFieldsDto.billing']).toContain('@ValidateIf');
  });

  it('has schemas that validators take', async () => {
    expectStrictSchemas(await bootFixture(platform, ledger()));
  });

  it('does not boot with raw bodies, pages, and routes for every verb', async () => {
    const methods = ['signed', 'page', 'proxy'].map((name) => [ImportsController, name] as const);
    expect(await refusalsOf(platform, ledger(), methods)).toEqual([
      expect.stringMatching(/^operation_input_unsupported: ImportsController.signed reads the raw body/),
      expect.stringMatching(/^operation_input_unsupported: ImportsController.page answers with a rendered page/),
      expect.stringMatching(/^operation_kind_undeclared: ImportsController.proxy/),
    ]);
  });

  it('answers a tool call as it answers the request', async () => {
    const ways = await openBothWays(await bootFixture(platform, ledger()));
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });
});
