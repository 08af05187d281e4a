import { afterEach, describe, expect, it } from '@jest/globals';
import { AnswersController, handled, NotesController } from '../dispatch/notes-application.js';
import { closeClients } from '../mcp/support/clients.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServedApplication } from './support/application.js';
import { FilmsController } from './support/further-operations.js';
import {
  newSession,
  refused,
  SURFACES,
  type CallTool,
  type Ending,
  type Surface,
  type Who,
} from './support/surfaces.js';

/** A call's ending, and what it did. */
interface Watched extends Ending {
  /** The handlers that ran, and with what. */
  readonly effects: unknown;
}

interface Row {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly http: { readonly method: string; readonly path: string; readonly body?: unknown };
  /** How it ends for everybody, where that does not depend on who calls. */
  readonly code?: string | undefined;
}

const ROWS: readonly Row[] = [
  { tool: 'notes__search', args: { text: 'a', limit: 2 }, http: { method: 'GET', path: '/notes?text=a&limit=2' } },
  { tool: 'notes__read', args: { id: 'a b/c' }, http: { method: 'GET', path: '/notes/a%20b%2Fc' } },
  { tool: 'notes__version', args: { id: '7', version: 3 }, http: { method: 'GET', path: '/notes/7/versions/3' } },
  {
    tool: 'notes__create',
    args: { title: 'a', priority: 1 },
    http: { method: 'POST', path: '/notes', body: { title: 'a', priority: 1 } },
  },
  { tool: 'notes__remove', args: { id: '7' }, http: { method: 'DELETE', path: '/notes/7' } },
  { tool: 'answers__missing', args: {}, http: { method: 'GET', path: '/answers/missing' } },
  { tool: 'answers__broken', args: {}, http: { method: 'GET', path: '/answers/broken' } },
  { tool: 'answers__list', args: {}, http: { method: 'GET', path: '/answers/list' } },
  { tool: 'answers__nothing', args: {}, http: { method: 'GET', path: '/answers/nothing' } },
  { tool: 'films__title', args: {}, http: { method: 'GET', path: '/films/title' }, code: undefined },
  { tool: 'films__poster', args: {}, http: { method: 'GET', path: '/films/poster' }, code: undefined },
  { tool: 'films__lend', args: {}, http: { method: 'POST', path: '/films/lend' }, code: 'film_lent' },
  { tool: 'films__return', args: {}, http: { method: 'POST', path: '/films/return' }, code: 'unprocessable_entity' },
  ...(
    [
      ['list', { filters: { $values: { year: { $gte: 2_000 } } }, sorts: { year: 'desc' }, size: 1 }, undefined],
      ['list', {}, undefined],
      ['list', { filters: { $values: { length: 90 } } }, 'field_not_filterable'],
      ['list', { sorts: { title: 'asc' } }, 'field_not_sortable'],
      ['aggregate', { $groups: { year: 'year' }, $computed: { films: { $count: null } } }, undefined],
      ['aggregate', { $groups: { title: 'title' }, $computed: { films: { $count: null } } }, 'field_not_aggregatable'],
    ] as const
  ).map(([form, args, code]) => ({
    tool: `films__${form}`,
    args,
    http: { method: 'POST', path: `/films/${form}`, body: args },
    code,
  })),
];

/** What is refused before a request of it is made, so that HTTP has no such call. */
const REFUSED: readonly (readonly [tool: string, args: Record<string, unknown>, code: string])[] = [
  ['notes__nothing', {}, 'tool_unknown'],
  ['notes__create', { title: 7 }, 'tool_arguments_invalid'],
  ['notes__create', { priority: 1 }, 'tool_arguments_invalid'],
  ['notes__create', { title: 'a', color: 'red' }, 'tool_arguments_unknown'],
  ['notes__read', { id: '..' }, 'tool_arguments_invalid'],
  ['films__list', { sort: [] }, 'tool_arguments_unknown'],
];

const PEOPLE: readonly (readonly [string, Who])[] = [
  ['nobody', { headers: {}, principal: { subject: '' } }],
  ...['stranger', 'reader', 'admin'].map((subject): [string, Who] => [
    subject,
    { headers: { authorization: `Bearer ${subject}` }, principal: { subject } },
  ]),
];

/** What a status is called where the application gives it no code of its own. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'operation_unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  422: 'unprocessable_entity',
  500: 'operation_failed',
};

describe.each(PLATFORMS)('one call, whichever way it comes in, on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const start = () => serve(platform, [NotesController, AnswersController, FilmsController]);

  describe.each(PEOPLE)('as %s', (_who, who) => {
    it('ends alike over HTTP and on every surface', async () => {
      const served = await start();
      const ways = await openAll(served, who);
      for (const row of ROWS) {
        const expected = await watched(() => overHttp(served, row, who.headers));
        if ('code' in row) expect([row.tool, expected.refusal?.code]).toEqual([row.tool, row.code]);
        for (const [{ name }, call] of ways) {
          const found = await watched(() => call(row.tool, row.args));
          expect([row.tool, name, found]).toEqual([row.tool, name, expected]);
        }
      }
    });

    it('is refused alike before it reaches the application', async () => {
      const ways = await openAll(await start(), who);
      for (const [tool, args, code] of REFUSED) {
        const [[, dispatched]] = ways as [(typeof ways)[number]];
        const expected = await watched(() => dispatched(tool, args));
        expect(expected).toMatchObject({ refusal: { code, message: /./ }, answer: undefined, effects: [] });
        for (const [{ name }, call] of ways)
          expect([tool, name, await watched(() => call(tool, args))]).toEqual([tool, name, expected]);
      }
    });
  });
});

function openAll(served: ServedApplication, who: Who): Promise<(readonly [Surface, CallTool])[]> {
  return Promise.all(
    SURFACES.map(async (surface) => [surface, await surface.open(served, who, newSession())] as const),
  );
}

async function watched(run: () => Promise<Ending>): Promise<Watched> {
  handled.length = 0;
  const ending = await run();
  return { ...ending, effects: structuredClone(handled) };
}

async function overHttp({ base }: ServedApplication, { http }: Row, headers: Record<string, string>): Promise<Ending> {
  const body = http.body === undefined ? {} : { body: JSON.stringify(http.body) };
  const answer = await fetch(`${base}${http.path}`, {
    method: http.method,
    headers: { ...headers, ...(http.body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...body,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
  const isJson = mediaType === 'application/json';
  if (!answer.ok) return refusalIn(answer.status, JSON.parse(bytes.toString('utf8')) as Record<string, unknown>);
  if (bytes.length === 0) return { refusal: undefined, answer: {} };
  if (isJson) return { refusal: undefined, answer: JSON.parse(bytes.toString('utf8')) as unknown };
  const isText = mediaType.startsWith('text/');
  return {
    refusal: undefined,
    answer: isText ? bytes.toString('utf8') : { resource: { mediaType, bytes: bytes.length } },
  };
}

/** What the application says over HTTP, in the three words that a model is told. */
function refusalIn(status: number, { code = CODES[status], message, details }: Record<string, unknown>): Ending {
  return refused({
    code: String(code),
    message: String(message),
    ...(details !== undefined && { details }),
  });
}
