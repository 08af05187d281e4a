import { afterEach, describe, expect, it } from '@jest/globals';
import { AnswersController, handled, NotesController } from '../dispatch/notes-application.js';
import { closeClients } from '../mcp/support/clients.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve, type ServedApplication } from './support/application.js';
import { newSession, SURFACES, type CallTool, type Ending, type Surface, type Who } from './support/surfaces.js';

/** A call's ending, and what it did. */
interface Watched extends Ending {
  /** The handlers that ran, and with what. */
  readonly effects: unknown;
}

interface Row {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly http: { readonly method: string; readonly path: string; readonly body?: unknown };
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
];

/** What is refused before a request of it is made, so that HTTP has no such call. */
const REFUSED: readonly (readonly [tool: string, args: Record<string, unknown>, code: string])[] = [
  ['notes__nothing', {}, 'tool_unknown'],
  ['notes__create', { title: 7 }, 'tool_arguments_invalid'],
  ['notes__create', { priority: 1 }, 'tool_arguments_invalid'],
  ['notes__create', { title: 'a', color: 'red' }, 'tool_arguments_unknown'],
  ['notes__read', { id: '..' }, 'tool_arguments_invalid'],
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
  500: 'operation_failed',
};

describe.each(PLATFORMS)('one call, whichever way it comes in, on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  const start = () => serve(platform, [NotesController, AnswersController]);

  describe.each(PEOPLE)('as %s', (_who, who) => {
    it('ends alike over HTTP and on every surface', async () => {
      const served = await start();
      const ways = await openAll(served, who);
      for (const row of ROWS) {
        const expected = await watched(() => overHttp(served, row, who.headers));
        for (const [{ name }, call] of ways) {
          const found = await watched(() => call(row.tool, row.args));
          expect([row.tool, name, found]).toEqual([row.tool, name, expected]);
        }
      }
    });

    it('is refused alike before it reaches the application', async () => {
      const ways = await openAll(await start(), who);
      for (const [tool, args, code] of REFUSED) {
        for (const [{ name }, call] of ways) {
          const expected = { code, answer: undefined, effects: [] };
          expect([tool, name, await watched(() => call(tool, args))]).toEqual([tool, name, expected]);
        }
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
  const text = await answer.text();
  return answer.ok
    ? { code: undefined, answer: text === '' ? {} : (JSON.parse(text) as unknown) }
    : { code: CODES[answer.status], answer: undefined };
}
