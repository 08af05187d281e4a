import type { INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DispatchError,
  getPaletteToken,
  OperationDispatcher,
  type CallerContext,
  type Palette,
  type ToolResult,
} from 'nestjs-palette';
import { bootApplication, closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { eventually } from '../support/eventually.js';
import { handled, notesApplication, usePipes } from './notes-application.js';

const READER: CallerContext = { headers: { authorization: 'Bearer reader' } };
const ADMIN: CallerContext = { headers: { authorization: 'Bearer admin' } };

describe.each(PLATFORMS)('dispatch on %s', (platform) => {
  let app: INestApplication;

  beforeEach(async () => {
    handled.length = 0;
    app = await bootApplication(platform, notesApplication, { configure: usePipes });
  });
  afterEach(closeApplications);

  function call(name: string, args: unknown, caller = READER, palette = 'notes'): Promise<ToolResult> {
    return app
      .get(OperationDispatcher)
      .dispatch(
        { id: 'call-1', name, arguments: args },
        { palette: app.get<Palette>(getPaletteToken(palette), { strict: false }), caller },
      );
  }

  const code = (result: ToolResult): unknown => (result.content as { code: unknown }).code;

  it('runs a tool call through the route, with typed query values', async () => {
    const result = await call('notes__search', { text: 'a b&c=d', archived: false, limit: 3 });
    expect(result).toEqual({
      toolCallId: 'call-1',
      isError: false,
      content: { text: 'a b&c=d', archived: false, limit: 3 },
    });
    expect(handled).toEqual([{ handler: 'search', input: { text: 'a b&c=d', archived: false, limit: 3 } }]);
  });

  it('takes arguments as the text a model wrote', async () => {
    expect(await call('notes__create', '{"title":"first","priority":2}')).toMatchObject({
      content: { title: 'first', priority: 2 },
    });
  });

  it('keeps a path and a body value of one name apart', async () => {
    const result = await call('notes__replace', { path: { title: 'old' }, body: { title: 'new' } });
    expect(result.content).toEqual({ path: 'old', body: { title: 'new' } });
  });

  it('is judged by the guards of the route', async () => {
    const refused = await call('notes__remove', { id: '7' });
    expect(refused).toMatchObject({ isError: true, content: { code: 'forbidden' } });
    expect(handled).toEqual([]);
    expect(await call('notes__remove', { id: '7' }, ADMIN)).toEqual({
      toolCallId: 'call-1',
      isError: false,
      content: {},
    });
    expect(handled).toEqual([{ handler: 'remove', input: { id: '7' } }]);
  });

  it('throws to the host where the caller is not authenticated', async () => {
    const error = await catchError(() => call('notes__read', { id: '7' }, { headers: {} }));
    expect(DispatchError.isInstance(error) && error).toMatchObject({
      code: 'operation_unauthenticated',
      operation: 'notes.read',
      upstreamStatus: 401,
    });
    expect(await call('notes__read', { id: '7' })).toMatchObject({ content: { id: '7' } });
  });

  it.each([
    ['an unknown tool', 'notes__drop', {}, 'tool_unknown'],
    ['an operation outside the palette', 'notes__export', {}, 'tool_unknown'],
    ['an inherited name', 'constructor', {}, 'tool_unknown'],
    ['an unknown argument', 'notes__read', { id: '1', admin: true }, 'tool_arguments_unknown'],
    ['a missing argument', 'notes__read', {}, 'tool_arguments_invalid'],
    ['a mistyped argument', 'notes__version', { id: '1', version: 'two' }, 'tool_arguments_invalid'],
    ['a text for a boolean', 'notes__search', { text: 'x', archived: 'false' }, 'tool_arguments_invalid'],
    ['a text for a number', 'notes__search', { text: 'x', limit: '' }, 'tool_arguments_invalid'],
    ['a list for an object', 'notes__read', [], 'tool_arguments_invalid'],
    ['text that is not JSON', 'notes__read', '{"id":', 'tool_arguments_invalid'],
    ['__proto__ as text', 'notes__create', '{"title":"x","__proto__":{"isAdmin":true}}', 'tool_arguments_unknown'],
    [
      'an escaped __proto__',
      'notes__create',
      '{"title":"x","\\u005f_proto__":{"isAdmin":true}}',
      'tool_arguments_unknown',
    ],
    ['constructor as a key', 'notes__create', { title: 'x', constructor: {} }, 'tool_arguments_unknown'],
    ['a parent segment', 'notes__read', { id: '..' }, 'tool_arguments_invalid'],
    ['a dot segment', 'notes__read', { id: '.' }, 'tool_arguments_invalid'],
    ['an empty segment', 'notes__read', { id: '' }, 'tool_arguments_invalid'],
    ['a lone surrogate in a path', 'notes__read', { id: 'a\ud800' }, 'tool_arguments_invalid'],
    ['a lone surrogate in a query', 'notes__search', { text: 'a\ud800' }, 'tool_arguments_invalid'],
    ['ten megabytes', 'notes__create', { title: 'x'.repeat(10_000_000) }, 'tool_arguments_too_large'],
    ['a sibling route', 'notes__read', { id: 'export' }, 'operation_identity_mismatch'],
  ])('refuses %s, runs nothing and echoes nothing', async (_what, name, args, expected) => {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(code(result)).toBe(expected);
    expect(handled).toEqual([]);
    expect(JSON.stringify(result).length).toBeLessThan(1_000);
    expect(JSON.stringify(result)).not.toMatch(/two|isAdmin|xxxx/);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(await call('notes__read', { id: 'still alive' })).toMatchObject({ content: { id: 'still alive' } });
  });

  it.each(['a/b', 'a?x=1#y', 'a\\b', '%2e%2e', '../../admin/delete-all?', 'ü 漢 🎬', 'a%', '...', '..;', ' '])(
    'hands %j to the handler as one opaque value',
    async (id) => {
      expect(await call('notes__read', { id })).toMatchObject({ isError: false, content: { id } });
    },
  );

  it('tells the model what is wrong with arguments, by name', async () => {
    const result = await call('notes__create', { priority: 'high' });
    expect(result.content).toMatchObject({
      code: 'tool_arguments_invalid',
      details: [
        { pointer: '/title', problem: 'is required' },
        { pointer: '/priority', problem: expect.stringContaining('integer') },
      ],
    });
  });

  it("lets the application's own pipe have the last word", async () => {
    const result = await call('notes__create', { title: 'x'.repeat(21) });
    expect(result).toMatchObject({ isError: true });
    expect(handled).toEqual([]);
  });

  it('forwards the allow-listed headers of the caller and no others', async () => {
    const headers = {
      authorization: 'Bearer reader',
      'x-tenant': '42',
      'x-api-key': 'K',
      cookie: 'session=1',
      host: 'evil.example',
      'content-length': '9999',
      connection: 'keep-alive',
      origin: 'https://evil.example',
    };
    const result = await call('notes__whoami', {}, { headers, remoteAddress: '192.0.2.7' });
    const told = result.content as { headers: Record<string, string>; remoteAddress: string; call: unknown };
    expect(told.headers).toMatchObject({ authorization: 'Bearer reader', 'x-tenant': '42' });
    expect(Object.keys(told.headers)).not.toEqual(expect.arrayContaining(['x-api-key']));
    expect(told.headers).not.toHaveProperty('cookie');
    expect(told.headers).not.toHaveProperty('origin');
    expect(told.headers['host']).toBe('localhost');
    expect(told.remoteAddress).toBe('192.0.2.7');
    expect(told.call).toMatchObject({ palette: 'notes', toolName: 'notes__whoami', toolCallId: 'call-1', depth: 1 });
  });

  it.each([
    ['nothing', {}],
    ['text', 'plain text'],
    ['list', [1, 2, 3]],
    ['file', { resource: { mediaType: 'application/pdf', bytes: 1_000 } }],
    ['raw', { raw: true }],
  ])('answers %s as the model is told it', async (method, content) => {
    expect(await call(`answers__${method}`, {}, READER, 'answers')).toEqual({
      toolCallId: 'call-1',
      isError: false,
      content,
    });
  });

  it('gives a refusal of the application its own words', async () => {
    expect(await call('answers__missing', {}, READER, 'answers')).toMatchObject({
      isError: true,
      content: { code: 'not_found', message: 'no such note' },
    });
  });

  it('refuses an answer over the limit', async () => {
    expect(code(await call('answers__large', {}, READER, 'answers'))).toBe('tool_result_too_large');
  });

  it('keeps a fault of the application from the model', async () => {
    const error = await catchError(() => call('answers__broken', {}, READER, 'answers'));
    expect(error).toMatchObject({ code: 'operation_failed', upstreamStatus: 500 });
    expect(JSON.stringify(error) + error.message).not.toContain('secret');
  });

  it('fails where the handler hangs up', async () => {
    expect(await catchError(() => call('answers__hangUp', {}, READER, 'answers'))).toMatchObject({
      code: 'operation_failed',
    });
  });

  it('ends at the deadline of the caller, and the handler is told', async () => {
    const error = await catchError(() =>
      call('answers__slow', {}, { ...READER, deadline: Date.now() + 300 }, 'answers'),
    );
    expect(error).toMatchObject({ code: 'deadline_exceeded', retryable: true });
    await eventually(() => expect(handled).toEqual([{ handler: 'slow was told', input: true }]));
  });

  it('ends when the caller goes away', async () => {
    const controller = new AbortController();
    const pending = catchError(() => call('answers__slow', {}, { ...READER, signal: controller.signal }, 'answers'));
    setTimeout(() => controller.abort(), 20);
    expect(await pending).toMatchObject({ code: 'dispatch_cancelled' });
  });
});
