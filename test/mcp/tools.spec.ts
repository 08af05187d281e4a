import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { IsInt, IsString, Max } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Caller, Operation, type CallerContext, type JsonSchema } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { AnswersController, BearerGuard, NotesController, usePipes } from '../dispatch/notes-application.js';
import { serve } from './support/applications.js';
import { manyControllers } from './support/many-controllers.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';

const NOTES = { controllers: [NotesController, AnswersController] };
const READER = { authorization: 'Bearer reader' };

class SumDto {
  @IsInt() @Max(100) left!: number;
  @IsInt() right!: number;
}

@Controller('numbers')
class NumbersController {
  @Operation({ kind: 'query', description: 'Add two numbers.' })
  @Post('sum')
  @HttpCode(200)
  sum(@Body() { left, right }: SumDto): unknown {
    return { sum: left + right };
  }

  @Operation({ description: 'Answers with what was not declared.' })
  @Get('odd')
  odd(): unknown {
    return { sum: 'not a number' };
  }

  @Operation({ description: 'Lists numbers.' })
  @Get('list')
  list(): number[] {
    return [1, 2, 3];
  }
}

class NameDto {
  @IsString() name!: string;
}

@Controller('who')
@UseGuards(BearerGuard)
class WhoController {
  @Operation({ kind: 'query', description: 'Who is calling?' })
  @Post(':id')
  @HttpCode(200)
  ask(@Caller() { headers, remoteAddress }: CallerContext, @Param('id') id: string, @Body() body: NameDto): unknown {
    return { headers, remoteAddress, id, name: body.name };
  }
}

describe.each(PLATFORMS)('tools over MCP on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    it('are told with title, description, schema and annotations', async () => {
      const { url } = await serve(platform, NOTES, { configure: usePipes });
      const tools = await (await connect(kind, url, READER)).tools();
      expect(tools.find(({ name }) => name === 'notes__remove')).toMatchObject({
        title: 'notes.remove',
        description: 'Delete a note.',
        inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      });
      expect(tools.find(({ name }) => name === 'notes__search')).toMatchObject({ annotations: { readOnlyHint: true } });
    });

    it('are paged through by a client that follows the cursors', async () => {
      const { url } = await serve(platform, { controllers: manyControllers(20) }, { mcp: { pageSize: 7 } });
      const { client, tools } = await connect(kind, url);
      expect((await tools()).map(({ name }) => name)).toEqual(
        Array.from({ length: 20 }, (_, index) => `many${index}__read`),
      );
      const refused = await catchError(() => client.listTools({ cursor: 'no cursor of ours' }));
      expect(refused).toMatchObject({ code: -32_602, data: { code: 'mcp_cursor_invalid' } });
    });

    it('are those that the caller sees, and no other can be called', async () => {
      const visible = (operation: { name: string }, caller: CallerContext): boolean =>
        operation.name !== 'numbers.odd' || caller.headers['authorization'] === 'Bearer admin';
      const { url } = await serve(platform, { controllers: [NumbersController] }, { palette: { visible } });
      const headers: Record<string, string> = { authorization: 'Bearer reader' };
      const client = await connect(kind, url, headers);
      expect((await client.tools()).map(({ name }) => name)).toEqual(['numbers__sum', 'numbers__list']);
      expect(await catchError(() => client.call('numbers__odd'))).toMatchObject({ data: { code: 'tool_unknown' } });
      headers['authorization'] = 'Bearer admin';
      expect(await client.call('numbers__odd')).toMatchObject({ isError: false });
      // Nothing of one caller's list is kept for another.
      expect((await (await connect(kind, url, headers)).tools()).length).toBe(3);
    });

    it('answer with text, JSON, lists and nothing', async () => {
      const { url } = await serve(platform, NOTES, { configure: usePipes });
      const { call } = await connect(kind, url, READER);
      const isModern = kind.startsWith('2026');
      expect(await call('answers__text')).toMatchObject({ text: 'plain text', structured: undefined });
      expect(await call('notes__read', { id: '7' })).toMatchObject({ text: '{"id":"7"}', structured: { id: '7' } });
      expect(await call('answers__nothing')).toMatchObject({ text: '{}', structured: {} });
      expect(await call('answers__list')).toMatchObject({
        text: '[1,2,3]',
        structured: isModern ? [1, 2, 3] : { result: [1, 2, 3] },
      });
      expect(await call('answers__file')).toMatchObject({
        structured: { resource: { mediaType: 'application/pdf', bytes: 1_000 } },
      });
    });

    it('are told with the schema of what they answer where one was given, and held to it', async () => {
      const sum: JsonSchema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] };
      const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
      const outputSchemas = { 'numbers.sum': sum, 'numbers.odd': sum, 'numbers.list': list };
      const application = { controllers: [NumbersController] };
      const { url } = await serve(platform, application, { configure: usePipes, mcp: { outputSchemas } });
      const client = await connect(kind, url);
      const tools = await client.tools();
      expect(tools.find(({ name }) => name === 'numbers__sum')?.outputSchema).toMatchObject(sum);
      expect(await client.call('numbers__sum', { left: 1, right: 2 })).toMatchObject({ structured: { sum: 3 } });
      expect(await client.call('numbers__list')).toMatchObject({ isError: false, text: '[1,2,3]' });
      const unfit = await client.call('numbers__odd');
      expect(unfit).toMatchObject({ isError: true, code: 'operation_failed', structured: undefined });
      expect(unfit.text).not.toContain('not a number');
    });

    it('are called as who sends the message, with the headers that are listed', async () => {
      const application = { controllers: [WhoController] };
      const { url } = await serve(platform, application, { dispatch: { forwardHeaders: ['x-tenant'] } });
      const headers: Record<string, string> = { authorization: 'Bearer reader', 'x-tenant': '42', cookie: 'session=1' };
      const client = await connect(kind, url, headers);
      const first = await client.call('who__ask', { id: '1', name: 'a' });
      expect(first.structured).toMatchObject({ remoteAddress: '127.0.0.1', id: '1', name: 'a' });
      const sent = (first.structured as { headers: Record<string, string> }).headers;
      expect(sent).toMatchObject({ authorization: 'Bearer reader', 'x-tenant': '42', host: 'localhost' });
      expect(Object.keys(sent).filter((name) => /^(cookie|mcp-|origin|user-agent)/.test(name))).toEqual([]);
      headers['authorization'] = 'Bearer admin';
      const second = await client.call('who__ask', { id: '1', name: 'a' });
      expect(second.structured).toMatchObject({ headers: { authorization: 'Bearer admin' } });
      headers['authorization'] = 'Bearer stranger';
      expect(await client.call('who__ask', { id: '1', name: 'a' })).toMatchObject({ isError: true, code: 'forbidden' });
    });
  });
});

describe('an endpoint that is not as it should be', () => {
  afterEach(closeApplications);

  it.each([
    ['an origin with a path', { allowedOrigins: ['https://app.example.com/page'] }, 'mcp_options_invalid'],
    ['a host with a port', { allowedHosts: ['api.example.com:443'] }, 'mcp_options_invalid'],
    ['a page of nothing', { pageSize: 0 }, 'mcp_options_invalid'],
    ['an output schema of no operation', { outputSchemas: { 'numbers.none': {} } }, 'mcp_options_invalid'],
    ['an output schema that is none', { outputSchemas: { 'numbers.sum': { type: 'sum' } } }, 'mcp_options_invalid'],
    ['a server without a name', { serverInfo: { name: '', version: '1' } }, 'mcp_options_invalid'],
    ['a palette that there is none of', { palette: 'none' }, 'palette_unknown'],
    [
      'a resource in clear text',
      { authorization: { resource: 'http://api.example.com/mcp', authorizationServers: ['https://auth.example.com'] } },
      'mcp_options_invalid',
    ],
    [
      'a scope that breaks out of its header',
      {
        authorization: {
          resource: 'https://api.example.com/mcp',
          authorizationServers: ['https://auth.example.com'],
          scopes: ['notes:read', 'notes"\r\nx: y'],
        },
      },
      'mcp_options_invalid',
    ],
  ])('keeps the application from booting: %s', async (_what, mcp, code) => {
    const boot = () => serve('express', { controllers: [NumbersController] }, { mcp: mcp as never });
    expect(await catchError(boot)).toMatchObject({ code });
  });

  it('is told of with every fault at once', async () => {
    const times = { progressIntervalMs: 2 ** 31, elicitationTimeoutMs: -1 };
    const mcp = { pageSize: -1, ...times, maxBodyBytes: 0, allowedHosts: ['https://a.example'] };
    const error = await catchError(() => serve('express', { controllers: [NumbersController] }, { mcp }));
    expect(error.message.match(/MCP: `(\w+)`/g)).toEqual([
      'MCP: `pageSize`',
      'MCP: `progressIntervalMs`',
      'MCP: `elicitationTimeoutMs`',
      'MCP: `maxBodyBytes`',
      'MCP: `allowedHosts`',
    ]);
  });

  it('boots where nothing is wrong', async () => {
    const authorization = {
      resource: 'https://api.example.com/mcp',
      authorizationServers: ['https://auth.example.com'],
      scopes: ['notes:read', 'https://api.example.com/notes.write'],
    };
    const times = { progressIntervalMs: 2 ** 31 - 1, elicitationTimeoutMs: 0 };
    const mcp = {
      allowedOrigins: ['https://app.example.com'],
      allowedHosts: ['api.example.com'],
      authorization,
      ...times,
    };
    await expect(serve('express', { controllers: [NumbersController] }, { mcp })).resolves.toBeDefined();
  });
});
