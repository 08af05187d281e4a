import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../../support/application.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from '../../support/same-answer.js';
import { bootFixture, expectStrictSchemas, openPlaces, refusalsOf } from '../support/described-application.js';
import { DARKROOM } from './application.js';
import { PlatesController } from './controllers.js';

const ALL = { authorization: 'Bearer all' };
const READ = { authorization: 'Bearer read' };
const ID = '6f1ed002-ab5c-4d3e-9f00-1a2b3c4d5e6f';
const OTHER_VERSION = '6f1ed002-ab5c-1d3e-9f00-1a2b3c4d5e6f';

const PLATE = {
  name: 'Harbour',
  takenAt: '2024-01-31T10:00:00+01:00',
  place: { latitude: 53.7, longitude: -0.3 },
  edits: [
    { action: 'crop', width: 3, height: 2 },
    { action: 'turn', degrees: 90 },
  ],
  labels: { where: 'Hull' },
  colour: '#AABBCC',
};
const FILTER = { place: { in: ['Hull'] }, or: [{ rating: { gte: 3 } }, { isPrinted: { eq: true } }] };

const ROWS: readonly AnswerRow[] = [
  {
    what: 'a query of codecs and coerced numbers',
    tool: 'plates__list',
    args: { kind: 'positive', isPrinted: 'false', size: 5, takenAfter: '2024-01-31T10:00:00Z' },
    http: 'GET /api/plates?kind=positive&isPrinted=false&size=5&takenAfter=2024-01-31T10%3A00%3A00Z',
    headers: READ,
    status: 200,
    answer: { name: 'read', kind: 'positive', isPrinted: false, size: 5, takenAfter: '2024-01-31T10:00:00.000Z' },
  },
  {
    what: 'an empty query, with its default',
    tool: 'plates__list',
    http: 'GET /api/plates',
    headers: READ,
    status: 200,
    answer: { name: 'read', order: 'desc' },
  },
  {
    what: 'a POST that searches',
    tool: 'plates__search',
    args: { filter: FILTER, text: ' boats ', rating: null },
    http: 'POST /api/plates/search',
    body: { filter: FILTER, text: ' boats ', rating: null },
    headers: READ,
    status: 200,
    answer: { filter: FILTER, text: 'boats', rating: null, page: 1 },
  },
  {
    what: 'a filter that only a refinement refuses',
    tool: 'plates__search',
    args: { filter: { place: {} } },
    http: 'POST /api/plates/search',
    body: { filter: { place: {} } },
    headers: READ,
    status: 400,
    answer: { message: ['[filter.place] Say at least one of them'] },
  },
  {
    what: 'a body of unions, records and codecs',
    tool: 'plates__develop',
    args: PLATE,
    http: 'POST /api/plates',
    body: PLATE,
    headers: ALL,
    status: 201,
    answer: { ...PLATE, by: 'all', checksum: null, kind: 'negative', takenAt: '2024-01-31T09:00:00.000Z' },
  },
  {
    what: 'a status that the handler sets',
    tool: 'plates__develop',
    args: { name: 'again' },
    http: 'POST /api/plates',
    body: { name: 'again' },
    headers: ALL,
    status: 200,
    answer: { name: 'again', edits: [] },
  },
  {
    what: 'a colour that only the application refuses',
    tool: 'plates__develop',
    args: { name: 'x', colour: 'red' },
    http: 'POST /api/plates',
    body: { name: 'x', colour: 'red' },
    headers: ALL,
    status: 400,
    answer: { message: [expect.stringContaining('[colour]')] },
  },
  {
    what: 'a permission that the key lacks',
    tool: 'plates__develop',
    args: { name: 'x' },
    http: 'POST /api/plates',
    body: { name: 'x' },
    headers: READ,
    status: 403,
    answer: { message: 'Needs plate.change' },
  },
  { what: 'no key', tool: 'plates__list', http: 'GET /api/plates', status: 401 },
  {
    what: 'a DELETE with a body',
    tool: 'plates__removeAll',
    args: { ids: [ID] },
    http: 'DELETE /api/plates',
    body: { ids: [ID] },
    headers: ALL,
    status: 204,
    answer: {},
  },
  {
    what: 'a path of a class, and the address of the caller',
    tool: 'plates__read',
    args: { id: ID },
    http: `GET /api/plates/${ID}`,
    headers: READ,
    status: 200,
    answer: { id: ID, isLocal: true },
  },
  {
    what: 'a path that the application refuses',
    tool: 'plates__read',
    args: { id: OTHER_VERSION },
    http: `GET /api/plates/${OTHER_VERSION}`,
    headers: READ,
    status: 400,
    answer: { message: ['[id] Invalid UUID'] },
  },
  {
    what: 'a part of a body',
    tool: 'plates__change',
    args: { id: ID, name: 'Docks' },
    http: `PATCH /api/plates/${ID}`,
    body: { name: 'Docks' },
    headers: ALL,
    status: 200,
    answer: { id: ID, name: 'Docks' },
  },
  {
    what: 'a file that the handler sends by itself',
    tool: 'plates__file',
    args: { id: ID },
    http: `GET /api/plates/${ID}/file`,
    headers: READ,
    status: 200,
    answer: { resource: { mediaType: 'image/png', bytes: ID.length } },
  },
  {
    what: 'a file that Nest streams',
    tool: 'plates__print',
    args: { id: ID },
    http: `GET /api/plates/${ID}/print`,
    headers: READ,
    status: 200,
    answer: { resource: { mediaType: 'image/jpeg', bytes: ID.length } },
  },
  {
    what: 'any JSON as one property of a body',
    tool: 'plates__label',
    args: { id: ID, key: 'camera', value: { lenses: [50, null], isSharp: true } },
    http: `PUT /api/plates/${ID}/labels/camera`,
    body: { value: { lenses: [50, null], isSharp: true } },
    headers: ALL,
    status: 200,
    answer: { id: ID, key: 'camera', value: { lenses: [50, null], isSharp: true } },
  },
];

describe.each(PLATFORMS)('a darkroom: schemas of zod, permissions, files, on %s', (platform) => {
  afterEach(closeApplications);

  it('has these operations, described by composed decorators', async () => {
    const { catalogue } = await bootFixture(platform, DARKROOM);
    expect([...catalogue.operations.values()].map(({ name, kind, description }) => [name, kind, description])).toEqual([
      ['plates.list', 'query', 'List plates. List the plates of the darkroom.'],
      ['plates.search', 'query', 'Search plates'],
      ['plates.develop', 'command', 'Develop a plate'],
      ['plates.removeAll', 'command', ''],
      ['plates.read', 'query', ''],
      ['plates.change', 'command', ''],
      ['plates.file', 'query', ''],
      ['plates.print', 'query', ''],
      ['plates.label', 'command', ''],
    ]);
  });

  it('tells a query as text, numbers and choices', async () => {
    const { schemaOf } = await bootFixture(platform, DARKROOM);
    expect(schemaOf('plates.list')).toEqual({
      type: 'object',
      properties: {
        kind: { $ref: '#/$defs/PlateKind' },
        isPrinted: { type: 'string', enum: ['true', 'false'], description: 'Whether there is a print.' },
        size: { type: 'integer', minimum: 1, maximum: 1000 },
        takenAfter: { type: 'string', format: 'date-time', description: 'A moment.' },
        order: { $ref: '#/$defs/Order', default: 'desc' },
      },
      additionalProperties: false,
      $defs: {
        PlateKind: { type: 'string', enum: ['negative', 'positive'], description: 'Which way round it is.' },
        Order: { type: 'string', enum: ['asc', 'desc'] },
      },
    });
  });

  it('lays out a body that has a name, and defines its parts once each', async () => {
    const { schemaOf } = await bootFixture(platform, DARKROOM);
    expect(schemaOf('plates.search')).toMatchObject({
      properties: {
        filter: { $ref: '#/$defs/Filter' },
        text: { type: 'string', description: expect.stringContaining('What is to be seen. The application changes') },
        rating: { anyOf: [{ type: 'integer', minimum: 1, maximum: 5 }, { type: 'null' }] },
        page: { type: 'integer', minimum: 1, default: 1 },
      },
      $defs: {
        Filter: {
          properties: { place: { $ref: '#/$defs/TextFilter' }, or: { items: { $ref: '#/$defs/FilterBranch' } } },
        },
        FilterBranch: { properties: { rating: { $ref: '#/$defs/NumberFilter' } } },
        TextFilter: { properties: { eq: { type: ['string', 'null'] }, in: { type: 'array', minItems: 1 } } },
      },
    });
    expect(JSON.stringify(schemaOf('plates.search'))).not.toContain('x-history');
  });

  it('tells unions, records, defaults and what is left out of a partial type', async () => {
    const { schemaOf } = await bootFixture(platform, DARKROOM);
    expect(schemaOf('plates.develop')).toMatchObject({
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 40 },
        kind: { $ref: '#/$defs/PlateKind', default: 'negative' },
        takenAt: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        edits: {
          type: 'array',
          default: [],
          items: {
            anyOf: [
              { properties: { action: { const: 'crop' } }, required: ['action', 'width', 'height'] },
              { properties: { action: { const: 'turn' } }, required: ['action', 'degrees'] },
            ],
          },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        colour: { type: 'string' },
      },
      required: ['name'],
    });
    expect(schemaOf('plates.change')).toMatchObject({ required: ['id'] });
    expect(schemaOf('plates.change')).not.toHaveProperty('properties.edits');
  });

  it('takes nothing from a tool call for key, address, checksum and answer', async () => {
    const { schemaOf } = await bootFixture(platform, DARKROOM);
    const id = { type: 'string', format: 'uuid', description: 'Of the plate.' };
    for (const name of ['plates.read', 'plates.file', 'plates.print']) {
      expect(schemaOf(name)).toEqual({
        type: 'object',
        properties: { id },
        required: ['id'],
        additionalProperties: false,
      });
    }
    expect(schemaOf('plates.develop')).not.toHaveProperty('properties.checksum');
  });

  it('reports what it leaves open, by class and property', async () => {
    const booted = await bootFixture(platform, DARKROOM);
    expect(openPlaces(booted)).toEqual([
      'ChangePlateDto.colour',
      'DevelopDto.colour',
      'SearchPlatesDto.NumberFilter',
      'SearchPlatesDto.TextFilter',
      'SearchPlatesDto.text',
    ]);
    expect(booted.gapsOf('plates.search')['SearchPlatesDto.TextFilter']).toContain('.refine');
    expect(booted.gapsOf('plates.develop')['DevelopDto.colour']).toContain('flags');
  });

  it('has schemas that validators take', async () => {
    expectStrictSchemas(await bootFixture(platform, DARKROOM));
  });

  it('does not boot with uploads and streams of events, and names both', async () => {
    const methods = ['upload', 'events'].map((name) => [PlatesController, name] as const);
    expect(await refusalsOf(platform, DARKROOM, methods)).toEqual([
      expect.stringMatching(/^operation_input_unsupported: PlatesController.upload takes uploaded files/),
      expect.stringMatching(/^operation_input_unsupported: PlatesController.events answers with a stream of events/),
    ]);
  });

  it('answers a tool call as it answers the request', async () => {
    const ways = await openBothWays(await bootFixture(platform, DARKROOM));
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });

  it('refuses beforehand what does not fit, by its place', async () => {
    const { call } = await bootFixture(platform, DARKROOM);
    const refusal = async (name: string, args: object) => (await call(name, args, { headers: ALL })).content;
    expect(await refusal('plates__develop', { name: 'x', edits: [{ action: 'turn', degrees: 45 }] })).toMatchObject({
      code: 'tool_arguments_invalid',
      details: expect.arrayContaining([expect.objectContaining({ pointer: '/edits/0/degrees' })]),
    });
    expect(await refusal('plates__list', { isPrinted: true })).toMatchObject({
      details: [{ pointer: '/isPrinted' }, {}],
    });
    expect(await refusal('plates__search', { filter: {}, deep: 1 })).toMatchObject({ code: 'tool_arguments_unknown' });
  });
});
