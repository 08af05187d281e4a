import { Controller, type Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PartialType } from '@nestjs/swagger';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from '../support/same-answer.js';
import { ledger } from './ledger/application.js';
import { resourceController } from './ledger/crud.controller.js';
import {
  ContactFieldsDto,
  CreateTaskDto,
  InvoiceFieldsDto,
  InvoiceLineDto,
  TagDto,
  TaskFieldsDto,
} from './ledger/dtos.js';
import { bootFixture, expectStrictSchemas, openPlaces } from './support/described-application.js';

const RESOURCES: Readonly<Record<string, Type>> = Object.fromEntries(
  [
    [TagDto, ['tags', 'skills', 'languages', 'positions', 'departments', 'categories', 'labels', 'sources']],
    [ContactFieldsDto, ['contacts', 'clients', 'vendors', 'candidates', 'employees', 'leads', 'partners', 'guests']],
    [InvoiceFieldsDto, ['invoices', 'estimates', 'proposals', 'receipts', 'orders', 'refunds', 'credits', 'quotes']],
    [
      InvoiceLineDto,
      ['invoice-lines', 'order-lines', 'expenses', 'incomes', 'payments', 'products', 'variants', 'deals'],
    ],
    [TaskFieldsDto, ['issues', 'goals', 'sprints', 'milestones', 'reviews', 'interviews', 'events', 'reports']],
    [CreateTaskDto, ['jobs', 'timesheets', 'activities', 'screenshots']],
  ].flatMap(([type, names]) => (names as string[]).map((name) => [name, type as Type])),
);

function controllerOf(path: string, type: Type): Type {
  @Controller(path)
  class RowsController extends resourceController(type, PartialType(type)) {}
  const name = path.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase());
  Object.defineProperty(RowsController, 'name', { value: `${name}Controller` });
  return RowsController;
}

const APPLICATION = ledger(Object.entries(RESOURCES).map(([path, type]) => controllerOf(path, type)));
const OPERATIONS = ['create', 'update', 'count', 'list', 'read', 'softRemove'];
const ID = '6f1ed002-ab5c-4d3e-9f00-1a2b3c4d5e6f';
const LINE = { what: 'tea', count: 2, price: 3.5 };
const INVOICE = { number: 'EU-0001', currency: 'EUR', lines: [LINE] };

const ROWS: readonly AnswerRow[] = [
  {
    what: 'a tag',
    tool: 'skills__create',
    args: { name: 'sums' },
    http: 'POST /skills',
    body: { name: 'sums' },
    status: 201,
  },
  {
    what: 'a tag of twenty characters, though not of twenty units',
    tool: 'skills__create',
    args: { name: '😀'.repeat(20) },
    http: 'POST /skills',
    body: { name: '😀'.repeat(20) },
    status: 201,
  },
  {
    what: 'a condition between properties',
    tool: 'clients__create',
    args: { name: 'Ada', hasMail: true, billing: 'nowhere' },
    http: 'POST /clients',
    body: { name: 'Ada', hasMail: true, billing: 'nowhere' },
    status: 400,
    answer: { message: ['billing must be an email'] },
  },
  {
    what: 'a condition that is met',
    tool: 'clients__create',
    args: { name: 'Ada', hasMail: true, billing: 'a@example.com' },
    http: 'POST /clients',
    body: { name: 'Ada', hasMail: true, billing: 'a@example.com' },
    status: 201,
  },
  {
    what: 'nested lists',
    tool: 'quotes__create',
    args: INVOICE,
    http: 'POST /quotes',
    body: INVOICE,
    status: 201,
    answer: INVOICE,
  },
  {
    what: 'a part of them',
    tool: 'quotes__update',
    args: { id: ID, currency: 'GBP' },
    http: `PUT /quotes/${ID}`,
    body: { currency: 'GBP' },
    status: 202,
    answer: { id: ID, currency: 'GBP' },
  },
  {
    what: 'a path with a dash',
    tool: 'order-lines__create',
    args: LINE,
    http: 'POST /order-lines',
    body: LINE,
    status: 201,
  },
  {
    what: 'a page',
    tool: 'variants__list',
    args: { take: 3 },
    http: 'GET /variants?take=3',
    status: 200,
    answer: { items: [], take: 3 },
  },
  { what: 'a count', tool: 'deals__count', http: 'GET /deals/count', status: 200, answer: { count: 2 } },
  {
    what: 'a row',
    tool: 'reports__read',
    args: { id: ID },
    http: `GET /reports/${ID}`,
    status: 200,
    answer: { id: ID },
  },
  {
    what: 'a row put away',
    tool: 'screenshots__softRemove',
    args: { id: ID, organizationId: ID },
    http: `DELETE /screenshots/${ID}/soft?organizationId=${ID}`,
    status: 202,
    answer: { id: ID, tenant: { organizationId: ID } },
  },
];

describe.each(PLATFORMS)('an application of more than forty controllers on %s', (platform) => {
  afterEach(closeApplications);

  it('has every operation of each of them', async () => {
    const { catalogue, palette } = await bootFixture(platform, APPLICATION);
    expect(catalogue.controllers.size).toBe(47);
    const names = Object.keys(RESOURCES).flatMap((path) => OPERATIONS.map((operation) => `${path}.${operation}`));
    expect([...catalogue.operations.keys()]).toEqual(expect.arrayContaining(names));
    expect(palette.definitions).toHaveLength(catalogue.operations.size);
    expect(catalogue.operations.size).toBe(names.length + 14);
  });

  it('has schemas that validators take, in strict mode, and no two tools of one name', async () => {
    const booted = await bootFixture(platform, APPLICATION);
    expectStrictSchemas(booted);
    const names = booted.palette.definitions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  });

  it('tells each resource by the class that its pipe holds, whatever the parameter says', async () => {
    const { schemaOf } = await bootFixture(platform, APPLICATION);
    expect(schemaOf('invoices.create')).toMatchObject({ required: ['number', 'currency', 'lines'] });
    expect(schemaOf('invoices.update')).toMatchObject({ required: ['id'] });
    expect(schemaOf('receipts.create')).toEqual(schemaOf('invoices.create'));
    expect(schemaOf('skills.create')).toMatchObject({ properties: { name: { minLength: 1, maxLength: 20 } } });
    expect(schemaOf('jobs.create')).toMatchObject({ required: ['title', 'priority', 'organizationId'] });
    expect(schemaOf('goals.list')).toEqual(schemaOf('tasks.list'));
  });

  it('reports each place once for each operation, and no resource beside them', async () => {
    const booted = await bootFixture(platform, APPLICATION);
    expect(openPlaces(booted).filter((place) => place.includes('Controller'))).toEqual([
      'AccountsController.list, parameter 0',
      'ImportsController.invoices, parameter 0',
    ]);
    expect(booted.gapsOf('clients.create')).toEqual({
      'ContactFieldsDto.billing': expect.stringContaining('@ValidateIf'),
    });
  });

  it('answers a tool call as it answers the request', async () => {
    const ways = await openBothWays(await bootFixture(platform, APPLICATION));
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });
});
