import { afterEach, describe, expect, it } from '@jest/globals';
import { DispatchError, getPaletteToken, OperationDispatcher, type Palette, type ToolResult } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { AnswersController, handled, NotesController, usePipes } from '../dispatch/notes-application.js';
import { serve, type ServedApplication } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

/** How one call ends, whichever way it came in. */
interface Ending {
  /** A refusal's code; undefined where the call succeeded. */
  readonly code: string | undefined;
  readonly answer: unknown;
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

const PRINCIPALS = {
  nobody: {},
  stranger: { authorization: 'Bearer stranger' },
  reader: { authorization: 'Bearer reader' },
  admin: { authorization: 'Bearer admin' },
} satisfies Record<string, Record<string, string>>;

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

  const start = () => serve(platform, { controllers: [NotesController, AnswersController] }, { configure: usePipes });

  describe.each(Object.entries(PRINCIPALS))('as %s', (_who, headers) => {
    it('ends alike over HTTP, through the dispatcher and for every MCP client', async () => {
      const served = await start();
      const clients = await Promise.all(CLIENTS.map((kind) => connect(kind, served.url, headers)));
      for (const row of ROWS) {
        const expected = await watched(() => overHttp(served, row, headers));
        const ways = { dispatcher: await watched(() => dispatched(served, row, headers)) } as Record<string, Ending>;
        for (const [index, { call }] of clients.entries()) {
          ways[CLIENTS[index] as string] = await watched(async () => {
            try {
              const { isError, code, text } = await call(row.tool, row.args);
              return { code, answer: isError ? undefined : JSON.parse(text) };
            } catch (error) {
              return { code: codeOfThrown(error), answer: undefined };
            }
          });
        }
        for (const [way, ending] of Object.entries(ways))
          expect([row.tool, way, ending]).toEqual([row.tool, way, expected]);
      }
    });
  });
});

async function watched(run: () => Promise<Omit<Ending, 'effects'>>): Promise<Ending> {
  handled.length = 0;
  const ending = await run();
  return { ...ending, effects: structuredClone(handled) };
}

async function overHttp({ base }: ServedApplication, { http }: Row, headers: Record<string, string>) {
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

async function dispatched({ app }: ServedApplication, { tool, args }: Row, headers: Record<string, string>) {
  const palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
  try {
    const call = { id: '1', name: tool, arguments: args };
    const { isError, content }: ToolResult = await app
      .get(OperationDispatcher)
      .dispatch(call, { palette, caller: { headers } });
    return isError
      ? { code: (content as { code: string }).code, answer: undefined }
      : { code: undefined, answer: content };
  } catch (error) {
    return { code: DispatchError.isInstance(error) ? error.code : undefined, answer: undefined };
  }
}

/** A client throws where it has to find a token: the endpoint answered 401. */
function codeOfThrown(error: unknown): string {
  const text = `${String(error)} ${JSON.stringify(error)}`;
  return /operation_unauthenticated|401|[Uu]nauthorized/.test(text) ? 'operation_unauthenticated' : text;
}
