import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../../support/application.js';
import { expectSameAnswer, openBothWays } from '../../support/same-answer.js';
import { bootFixture, expectStrictSchemas, openPlaces, refusalsOf } from '../support/described-application.js';
import { DARKROOM } from './application.js';
import { PlatesController } from './controllers.js';
import { ALL, ROWS } from './rows.js';

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
