import { afterEach, describe, expect, it } from '@jest/globals';
import { closeApplications, PLATFORMS } from '../../../support/application.js';
import { expectSameAnswer, openBothWays, type AnswerRow } from '../../support/same-answer.js';
import { bootFixture, expectStrictSchemas, openPlaces, refusalsOf } from '../support/described-application.js';
import { READING_ROOM } from './application.js';
import { SessionsController } from './controllers.js';

const READER = { authorization: 'Bearer reader' };
const KEEPER = { authorization: 'Bearer keeper' };
const ID = 'c0ffee00-0000-4000-8000-000000000001';
const TRANSFORMED = 'The application transforms the value before it checks it; what comes out must fit';

const SIGN_UP = {
  firstName: ' Ada  King ',
  lastName: null,
  mail: 'ADA@Example.com',
  secret: 'abc123',
  born: '1815-12-10',
};

const ROWS: readonly AnswerRow[] = [
  {
    what: 'a body of composed fields, tidied and lowered',
    tool: 'sessions__signUp',
    args: SIGN_UP,
    http: 'POST /sessions/up/plain',
    body: SIGN_UP,
    status: 201,
    answer: { firstName: 'Ada King', lastName: null, mail: 'ada@example.com', born: '1815-12-10T00:00:00.000Z' },
  },
  {
    what: 'a body that the application’s own validator refuses, through its filter',
    tool: 'sessions__signUp',
    args: { ...SIGN_UP, secret: 'abcdef' },
    http: 'POST /sessions/up/plain',
    body: { ...SIGN_UP, secret: 'abcdef' },
    status: 422,
    answer: { code: 'unfit', details: ['secret isHardToGuess'] },
  },
  {
    what: 'a POST that reads',
    tool: 'sessions__signIn',
    args: { mail: 'A@example.com', secret: 'open sesame' },
    http: 'POST /sessions/in',
    body: { mail: 'A@example.com', secret: 'open sesame' },
    status: 200,
    answer: { mail: 'a@example.com', isKnown: true },
  },
  {
    what: 'a version by URI, a custom decorator, a serializer',
    tool: 'sessions__me',
    http: 'GET /v1/sessions/me',
    headers: READER,
    status: 200,
    answer: { id: ID, name: 'Ada', role: 'READER' },
  },
  { what: 'nobody signed in', tool: 'sessions__me', http: 'GET /v1/sessions/me', status: 401 },
  {
    what: 'text, and a header that a decorator reads',
    tool: 'readers__keepers',
    http: 'GET /readers/keepers',
    headers: KEEPER,
    status: 200,
    answer: 'en_US KEEPER',
  },
  {
    what: 'a role that is not the caller’s',
    tool: 'readers__keepers',
    http: 'GET /readers/keepers',
    headers: READER,
    status: 403,
    answer: { message: 'Forbidden resource' },
  },
  {
    what: 'page options, inherited and composed',
    tool: 'readers__list',
    args: { page: 3, take: 5, roles: ['READER'], active: false, years: [1990], q: 'a b' },
    http: 'GET /readers?page=3&take=5&roles=READER&active=false&years=1990&q=a%20b',
    headers: READER,
    status: 200,
    answer: { direction: 'ASC', page: 3, take: 5, skip: 10, roles: ['READER'], active: false, years: [1990], q: 'a b' },
  },
  {
    what: 'page options that are all left out',
    tool: 'readers__list',
    http: 'GET /readers',
    headers: READER,
    status: 200,
    answer: { direction: 'ASC', page: 1, take: 10, skip: 0 },
  },
  {
    what: 'a path parameter of a composed decorator',
    tool: 'readers__read',
    args: { id: ID },
    http: `GET /readers/${ID}`,
    headers: READER,
    status: 200,
    answer: { id: ID, name: 'Ada', role: 'READER' },
  },
  {
    what: 'a path parameter that is no UUID',
    tool: 'readers__read',
    args: { id: 'seven' },
    http: 'GET /readers/seven',
    headers: READER,
    status: 400,
    answer: { message: expect.stringContaining('uuid v 4') },
  },
  {
    what: 'what is not there',
    tool: 'readers__read',
    args: { id: 'deadbeef-0000-4000-8000-000000000001' },
    http: 'GET /readers/deadbeef-0000-4000-8000-000000000001',
    headers: READER,
    status: 404,
    answer: { message: 'No such reader' },
  },
  {
    what: 'a body whose class is erased',
    tool: 'entries__create',
    args: { body: { title: 'anything' } },
    http: 'POST /entries',
    body: { title: 'anything' },
    headers: KEEPER,
    status: 201,
    answer: { entry: 'object' },
  },
  {
    what: 'a list that is open to everybody',
    tool: 'entries__list',
    args: { take: 2 },
    http: 'GET /entries?take=2',
    status: 200,
    answer: { language: 'en_US', take: 2 },
  },
  { what: 'an observable', tool: 'entries__found', http: 'GET /entries/found', status: 200, answer: ['Moby Dick'] },
  { what: 'a route of no version', tool: 'health__check', http: 'GET /health', status: 200, answer: { status: 'ok' } },
];

describe.each(PLATFORMS)('a reading room: composed decorators, erased types, on %s', (platform) => {
  afterEach(closeApplications);

  it('has these operations, described by what the documentation says', async () => {
    const { catalogue } = await bootFixture(platform, READING_ROOM);
    expect([...catalogue.operations.values()].map(({ name, kind, description }) => [name, kind, description])).toEqual([
      ['sessions.signIn', 'query', 'Sign in. Answers whether mail and secret belong together.'],
      ['sessions.signUp', 'command', ''],
      ['sessions.me', 'query', 'For READER and KEEPER'],
      ['readers.keepers', 'query', 'For KEEPER'],
      ['readers.list', 'query', 'List readers'],
      ['readers.read', 'query', 'For everybody'],
      ['entries.create', 'command', 'For KEEPER'],
      ['entries.replace', 'command', 'For KEEPER'],
      ['entries.list', 'query', 'For everybody'],
      ['entries.found', 'query', ''],
      ['health.check', 'query', 'Whether the room is open.'],
    ]);
  });

  it('tells composed fields', async () => {
    const { schemaOf } = await bootFixture(platform, READING_ROOM);
    expect(schemaOf('sessions.signUp')).toEqual({
      type: 'object',
      properties: {
        firstName: { type: 'string', description: `${TRANSFORMED} {"minLength":1,"maxLength":30}.` },
        lastName: { type: ['string', 'null'], description: `${TRANSFORMED} {"minLength":1}.` },
        mail: {
          type: 'string',
          description: `Where letters go. ${TRANSFORMED} {"minLength":1,"format":"email"}.`,
        },
        secret: { type: 'string', description: `${TRANSFORMED} {"minLength":6}.` },
        born: {
          anyOf: [
            { type: 'string', format: 'date' },
            { type: 'string', format: 'date-time' },
          ],
        },
      },
      required: ['firstName', 'lastName', 'mail', 'secret'],
      additionalProperties: false,
    });
  });

  it('tells inherited page options with their defaults, and lists of a query', async () => {
    const { schemaOf } = await bootFixture(platform, READING_ROOM);
    expect(schemaOf('readers.list')).toEqual({
      type: 'object',
      properties: {
        direction: { type: ['string', 'null'], enum: ['ASC', 'DESC', null], default: 'ASC' },
        page: { type: ['integer', 'null'], minimum: 1, default: 1 },
        take: { type: ['integer', 'null'], minimum: 1, maximum: 50, default: 10, description: 'How many at once.' },
        q: { type: ['string', 'null'], minLength: 1 },
        roles: { description: `${TRANSFORMED} {"type":"array","items":{"type":"string","enum":["READER","KEEPER"]}}.` },
        active: { description: `${TRANSFORMED} {"type":"boolean"}.` },
        years: { description: `${TRANSFORMED} {"type":"array","items":{"type":"integer","minimum":1900}}.` },
      },
      additionalProperties: false,
    });
  });

  it('asks for the version of UUID that a composed parameter takes, and for nothing that the request holds', async () => {
    const { schemaOf } = await bootFixture(platform, READING_ROOM);
    expect(schemaOf('readers.read')).toMatchObject({
      properties: { id: { type: 'string', format: 'uuid', description: 'UUID version 4.' } },
      required: ['id'],
    });
    const nothing = { type: 'object', properties: {}, additionalProperties: false };
    expect([schemaOf('sessions.me'), schemaOf('readers.keepers')]).toEqual([nothing, nothing]);
  });

  it('offers a body that the compiler erased as an open value, and reports it', async () => {
    const booted = await bootFixture(platform, READING_ROOM);
    expect(booted.schemaOf('entries.create')).toMatchObject({ properties: { body: {} } });
    expect(booted.schemaOf('entries.replace')).toMatchObject({ properties: { id: {}, body: {} }, required: ['id'] });
    expect(booted.gapsOf('entries.create')).toEqual({
      'EntriesController.create, parameter 0': expect.stringContaining('`import type`'),
    });
  });

  it('reports what it leaves open, by class and property', async () => {
    const booted = await bootFixture(platform, READING_ROOM);
    expect(openPlaces(booted)).toEqual([
      'EntriesController.create, parameter 0',
      'EntriesController.replace, parameter 1',
      'ReadersPageOptionsDto.active',
      'ReadersPageOptionsDto.roles',
      'ReadersPageOptionsDto.years',
      'SignInDto.mail',
      'SignInDto.secret',
      'SignUpDto.firstName',
      'SignUpDto.lastName',
      'SignUpDto.mail',
      'SignUpDto.secret',
    ]);
    expect(booted.catalogue.gaps).toContainEqual({
      at: 'SignUpDto.secret',
      why: expect.stringContaining('isHardToGuess'),
    });
  });

  it('has schemas that validators take', async () => {
    expectStrictSchemas(await bootFixture(platform, READING_ROOM));
  });

  it('does not boot with a method that takes an upload', async () => {
    expect(await refusalsOf(platform, READING_ROOM, [[SessionsController, 'signUpWithPicture']])).toEqual([
      expect.stringMatching(
        /^operation_input_unsupported: SessionsController.signUpWithPicture takes an uploaded file/,
      ),
    ]);
  });

  it('answers a tool call as it answers the request', async () => {
    const ways = await openBothWays(await bootFixture(platform, READING_ROOM));
    for (const row of ROWS) await expectSameAnswer(ways, row);
  });

  it('refuses beforehand what no request could bring past its pipe', async () => {
    const { call } = await bootFixture(platform, READING_ROOM);
    const outcome = await call('readers__list', { take: 500, skip: 1 }, { headers: READER });
    expect(outcome).toMatchObject({ isError: true, content: { code: 'tool_arguments_unknown' } });
    expect(await call('readers__list', { take: 500 }, { headers: READER })).toMatchObject({
      isError: true,
      content: { code: 'tool_arguments_invalid', details: [{ pointer: '/take' }] },
    });
  });
});
