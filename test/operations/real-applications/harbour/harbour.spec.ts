import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../../support/application.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from '../../support/same-answer.js';
import { bootFixture, expectStrictSchemas, openPlaces, refusalsOf } from '../support/described-application.js';
import { HARBOUR } from './application.js';
import { ShipsController } from './controllers.js';

const ADA = { authorization: 'Bearer ada' };
const TRANSFORMED = 'The application transforms the value before it checks it; what comes out must fit';
const UNCHECKED = 'The application does not check what it holds; it is meant to fit';
const ANY_TEXT = { type: ['string', 'number'] };

const SAILOR = { mail: ' ADA@example.com ', secret: 'abcdef', firstName: 'Ada', lastName: 'King' };
const SHIP = {
  name: 'Endurance',
  isAtSea: false,
  hold: { crates: [{ content: 'tea', weight: 2 }], below: [{ crates: [{ content: 'salt', weight: 0 }] }] },
};

const ROWS: readonly AnswerRow[] = [
  {
    what: 'a body that documentation describes in part, answered for a group',
    tool: 'sailors__create',
    args: { ...SAILOR, rank: { id: 1, name: 'Captain' }, photo: { path: 'x' } },
    http: 'POST /api/v1/sailors',
    body: { ...SAILOR, rank: { id: 1, name: 'Captain' }, photo: { path: 'x' } },
    headers: ADA,
    status: 201,
    answer: { id: 'new', mail: 'ada@example.com', label: 'Sailor new' },
  },
  {
    what: 'objects in a query, as JSON',
    tool: 'sailors__findAll',
    args: { page: 2, filters: { ranks: [{ id: 1 }] }, sort: [{ orderBy: 'id', order: 'ASC' }] },
    http: `GET /api/v1/sailors?page=2&filters=${encodeURIComponent('{"ranks":[{"id":1}]}')}&sort=${encodeURIComponent('[{"orderBy":"id","order":"ASC"}]')}`,
    headers: ADA,
    status: 200,
    answer: {
      page: 2,
      filters: [{ id: 1 }],
      sort: [{ orderBy: 'id', order: 'ASC' }],
      data: [{ mail: 'a@example.com' }],
    },
  },
  {
    what: 'a query that the pipe refuses, nested faults and all',
    tool: 'sailors__findAll',
    args: { filters: { ranks: [{ id: 3 }] } },
    http: `GET /api/v1/sailors?filters=${encodeURIComponent('{"ranks":[{"id":3}]}')}`,
    headers: ADA,
    status: 422,
    answer: { message: 'unfit', details: { filters: { ranks: { 0: { id: expect.stringContaining('one of') } } } } },
  },
  {
    what: 'an answer without a group',
    tool: 'sailors__findOne',
    args: { id: 7 },
    http: 'GET /api/v1/sailors/7',
    headers: ADA,
    status: 200,
    answer: { id: '7', label: 'Sailor 7' },
  },
  {
    what: 'null for what is not there',
    tool: 'sailors__findOne',
    args: { id: '0' },
    http: 'GET /api/v1/sailors/0',
    headers: ADA,
    status: 200,
  },
  {
    what: 'a part of a body',
    tool: 'sailors__update',
    args: { id: '7', firstName: 'Ada', lastName: null },
    http: 'PATCH /api/v1/sailors/7',
    body: { firstName: 'Ada', lastName: null },
    headers: ADA,
    status: 200,
    answer: { id: '7', changes: { firstName: 'Ada', lastName: null } },
  },
  {
    what: 'no content',
    tool: 'sailors__remove',
    args: { id: '7' },
    http: 'DELETE /api/v1/sailors/7',
    headers: ADA,
    status: 204,
    answer: {},
  },
  {
    what: 'the request itself',
    tool: 'account__me',
    http: 'GET /api/v1/account/me',
    headers: ADA,
    status: 200,
    answer: { id: 'ada', mail: 'me@example.com' },
  },
  { what: 'nobody signed in', tool: 'account__me', http: 'GET /api/v1/account/me', status: 401 },
  {
    what: 'no content of a POST',
    tool: 'account__logout',
    http: 'POST /api/v1/account/logout',
    headers: ADA,
    status: 204,
  },
  {
    what: 'nested and recursive parts, under the first of several versions',
    tool: 'ships__load',
    args: SHIP,
    http: 'POST /api/v1/ships',
    body: SHIP,
    status: 201,
    answer: SHIP,
  },
  {
    what: 'a path beside a body of picked and added properties',
    tool: 'ships__moor',
    args: { number: 3, name: 'Endurance', port: 'Hull' },
    http: 'POST /api/v1/ships/3/berth',
    body: { name: 'Endurance', port: 'Hull' },
    status: 201,
    answer: { number: 3, berth: { name: 'Endurance', port: 'Hull' } },
  },
  {
    what: 'the root, which has no prefix',
    tool: 'home__home',
    http: 'GET /',
    status: 200,
    answer: { name: 'harbour' },
  },
];

describe.each(PLATFORMS)('a harbour: prefix, versions, half-described bodies, on %s', (platform) => {
  afterEach(closeApplications);

  it('has these operations', async () => {
    const { catalogue } = await bootFixture(platform, HARBOUR);
    expect([...catalogue.operations.keys()]).toEqual([
      ...['sailors.create', 'sailors.findAll', 'sailors.findOne', 'sailors.update', 'sailors.remove'],
      ...['account.me', 'account.logout', 'ships.load', 'ships.moor', 'home.home'],
    ]);
  });

  it('tells what validators check, what documentation alone knows, and which of it is which', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('sailors.create')).toMatchObject({
      properties: {
        mail: {
          description: `${TRANSFORMED} {"type":"string","minLength":1,"format":"email"}.`,
          examples: ['ada@example.com'],
        },
        secret: { type: 'string', minLength: 6 },
        firstName: { type: 'string', minLength: 1, examples: ['Ada'] },
        lastName: { type: 'string', minLength: 1 },
        photo: { description: `${UNCHECKED} {"$ref":"#/$defs/PhotoDto"}.` },
        rank: { description: `${UNCHECKED} {"$ref":"#/$defs/RankDto"}.` },
        status: { anyOf: [{ $ref: '#/$defs/StatusDto' }, { type: 'null' }] },
      },
      required: ['mail', 'secret', 'firstName', 'lastName'],
      $defs: {
        PhotoDto: { properties: { id: { type: 'string' }, path: { type: ['string', 'null'] } }, required: ['id'] },
        RankDto: { properties: { id: { type: 'integer', enum: [1, 2] } } },
      },
    });
  });

  it('knows no property that no decorator knows', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('sailors.create')).not.toHaveProperty('properties.provider');
    expect(schemaOf('sailors.create')).not.toHaveProperty('$defs.RankDto.properties.name');
  });

  it('requires nothing of a partial type but the path', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('sailors.update')).toMatchObject({
      properties: {
        id: ANY_TEXT,
        secret: { type: ['string', 'null'], minLength: 6 },
        firstName: { type: ['string', 'null'] },
      },
      required: ['id'],
    });
  });

  it('tells what objects in a query are made of', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('sailors.findAll')).toMatchObject({
      properties: {
        page: { description: `${TRANSFORMED} {"type":["number","null"]}.` },
        filters: { description: expect.stringContaining('#/$defs/SailorFilterDto') },
        sort: { description: expect.stringContaining('#/$defs/SailorSortDto') },
      },
      $defs: { SailorSortDto: { properties: { order: { enum: ['ASC', 'DESC'] } }, required: ['orderBy', 'order'] } },
    });
    expect(schemaOf('sailors.findAll')).not.toHaveProperty('required');
  });

  it('tells nested and recursive parts once each', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('ships.load')).toEqual({
      type: 'object',
      properties: {
        hold: { $ref: '#/$defs/HoldDto' },
        name: { type: 'string' },
        isAtSea: { type: 'boolean' },
        note: { type: ['string', 'null'] },
      },
      required: ['hold', 'name', 'isAtSea'],
      additionalProperties: false,
      $defs: {
        HoldDto: {
          type: 'object',
          properties: {
            crates: { type: 'array', items: { $ref: '#/$defs/CrateDto' }, minItems: 1 },
            below: { type: ['array', 'null'], items: { $ref: '#/$defs/HoldDto' } },
          },
          required: ['crates'],
          additionalProperties: false,
        },
        CrateDto: {
          type: 'object',
          properties: { content: { type: 'string', minLength: 1 }, weight: { type: 'number', minimum: 0 } },
          required: ['content', 'weight'],
          additionalProperties: false,
        },
      },
    });
  });

  it('tells picked and added properties, and what documents a path', async () => {
    const { schemaOf } = await bootFixture(platform, HARBOUR);
    expect(schemaOf('ships.moor')).toEqual({
      type: 'object',
      properties: {
        number: { type: 'integer' },
        name: { type: 'string' },
        port: { type: 'string', description: 'Where it lies.' },
      },
      required: ['number', 'name', 'port'],
      additionalProperties: false,
    });
    expect(schemaOf('sailors.findOne')).toMatchObject({
      properties: { id: { ...ANY_TEXT, description: 'Whose papers.' } },
    });
  });

  it('reports what it leaves open, by class and property', async () => {
    const booted = await bootFixture(platform, HARBOUR);
    expect(openPlaces(booted)).toEqual([
      'CreateSailorDto.mail',
      'CreateSailorDto.photo',
      'CreateSailorDto.rank',
      'QuerySailorsDto.filters',
      'QuerySailorsDto.page',
      'QuerySailorsDto.sort',
      'UpdateSailorDto.mail',
      'UpdateSailorDto.photo',
      'UpdateSailorDto.rank',
    ]);
    expect(booted.gapsOf('sailors.create')['CreateSailorDto.photo']).toContain('neither a validator');
  });

  it('has schemas that validators take', async () => {
    expectStrictSchemas(await bootFixture(platform, HARBOUR));
  });

  it('does not boot with methods that no tool call can stand for, and names them all', async () => {
    const methods = ['papers', 'map', 'chart'].map((name) => [ShipsController, name] as const);
    expect(await refusalsOf(platform, HARBOUR, methods)).toEqual([
      expect.stringMatching(/^operation_input_unsupported: ShipsController.papers takes an uploaded file/),
      expect.stringMatching(/^operation_input_unsupported: ShipsController.map answers with a redirect/),
      expect.stringMatching(/^operation_route_unresolved: ShipsController.chart .*wildcard/),
    ]);
  });

  it('answers a tool call as it answers the request', async () => {
    const ways = await openBothWays(await bootFixture(platform, HARBOUR));
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });
});
