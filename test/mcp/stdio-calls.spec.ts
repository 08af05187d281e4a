import {
  ConflictException,
  Controller,
  Get,
  HttpCode,
  Post,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import type { McpStdioOptions } from 'nestjs-palette/mcp';
import { catchError } from '../support/catch-error.js';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { eventually } from '../support/eventually.js';
import { CLIENTS, closeClients } from './support/clients.js';
import { ERAS, INITIALIZE, modernBody } from './support/raw.js';
import { bootForStdio, connectOverPipes, openPipes } from './support/stdio.js';

const seen = { begun: 0, aborted: 0 };

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<{ headers: { authorization?: string } }>().headers;
    if (authorization?.startsWith('Bearer ') !== true) throw new UnauthorizedException('No token.');
    return true;
  }
}

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query', description: 'Who is calling?' })
  @Get('who')
  @UseGuards(TokenGuard)
  who(@Caller() { headers, remoteAddress }: CallerContext): unknown {
    return { authorization: headers['authorization'], remoteAddress };
  }

  @Operation({ description: 'Is taken.' })
  @Get('taken')
  taken(): void {
    throw new ConflictException({ code: 'note_taken', message: 'Ada has it.', details: { by: 'ada' } });
  }

  @Operation({ description: 'Breaks.' })
  @Get('broken')
  broken(): void {
    throw new Error('secret connection string');
  }

  @Operation({ description: 'Waits until its caller goes away.' })
  @Post('wait')
  @HttpCode(200)
  async wait(@Caller() { signal }: CallerContext): Promise<unknown> {
    seen.begun += 1;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    seen.aborted += 1;
    return {};
  }

  @Operation({ description: 'Takes a moment.' })
  @Get('moment')
  async moment(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { done: true };
  }
}

const NOTES = { controllers: [NotesController] };

describe.each(PLATFORMS)('a palette over stdio, of an application on %s', (platform) => {
  beforeEach(() => void Object.assign(seen, { begun: 0, aborted: 0 }));
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  describe.each(CLIENTS)('for %s', (kind) => {
    const start = async (options: Partial<McpStdioOptions> = {}) => {
      const pipes = openPipes(await bootForStdio(platform, NOTES), options);
      return { ...pipes, connect: () => connectOverPipes(kind, pipes) };
    };

    it('is told and called in lines of JSON-RPC, and nothing else', async () => {
      const { connect, lines } = await start({ caller: { headers: { authorization: 'Bearer ada' } } });
      const { client, tools, call } = await connect();
      expect((await tools()).map(({ name }) => name)).toEqual([
        'notes__who',
        'notes__taken',
        'notes__broken',
        'notes__wait',
        'notes__moment',
      ]);
      expect(client.getServerVersion()).toMatchObject({ name: 'notes', version: '1.2.3' });
      expect(await call('notes__who')).toEqual({
        isError: false,
        text: '{"authorization":"Bearer ada","remoteAddress":"127.0.0.1"}',
        structured: { authorization: 'Bearer ada', remoteAddress: '127.0.0.1' },
      });
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    });

    it('refuses in the application’s words, and masks what is no refusal', async () => {
      const { call } = await (await start()).connect();
      expect((await call('notes__taken')).refusal).toEqual({
        code: 'note_taken',
        message: 'Ada has it.',
        details: { by: 'ada' },
      });
      expect((await call('notes__broken')).refusal).toEqual({ code: 'operation_failed', message: 'The tool failed.' });
      const turnedAway = await catchError(() => call('notes__who'));
      expect(turnedAway).toMatchObject({ code: -32_600, data: { code: 'operation_unauthenticated' } });
    });

    it('has no other tools', async () => {
      const { call } = await (await start()).connect();
      const error = await catchError(() => call('notes__none'));
      expect(error).toMatchObject({ code: -32_602, data: { code: 'tool_unknown' } });
      expect(error.message).toContain('No tool of that name is available.');
    });

    it('asks for each call on whose behalf it is', async () => {
      const tokens: string[] = [];
      const caller = (): CallerContext => {
        tokens.push(`Bearer token-${tokens.length}`);
        return { headers: { authorization: tokens.at(-1) as string } };
      };
      const { call } = await (await start({ caller })).connect();
      const [first, second] = [await call('notes__who'), await call('notes__who')];
      expect([first, second].map(({ structured }) => structured)).toMatchObject(
        tokens.slice(-2).map((authorization) => ({ authorization })),
      );
      expect(first.text).not.toBe(second.text);
    });

    it('cancels a call for its handler, and ends it with the connection', async () => {
      const { connect, served, toServer } = await start();
      const { call } = await connect();
      const cancelling = new AbortController();
      const cancelled = catchError(() => call('notes__wait', {}, { signal: cancelling.signal }));
      await eventually(() => expect(seen.begun).toBe(1));
      expect(seen.aborted).toBe(0);
      cancelling.abort();
      await cancelled;
      await eventually(() => expect(seen.aborted).toBe(1));
      const cut = catchError(() => call('notes__wait'));
      await eventually(() => expect(seen.begun).toBe(2));
      toServer.end();
      await served.closed;
      await eventually(() => expect(seen.aborted).toBe(2));
      await closeClients();
      await cut;
    });

    it('tells of progress, to a client that asks', async () => {
      const { call } = await (await start({ progressIntervalMs: 40 })).connect();
      const told: number[] = [];
      const outcome = await call('notes__moment', {}, { onprogress: ({ progress }) => told.push(progress) });
      expect(outcome.structured).toEqual({ done: true });
      expect(told.length).toBeGreaterThan(1);
      expect(told).toEqual([...told].sort((a, b) => a - b));
    });

    it('ends, with what runs, when it is closed', async () => {
      const { connect, served, lines } = await start();
      const { call } = await connect();
      const cut = catchError(() => call('notes__wait'));
      await eventually(() => expect(seen.begun).toBe(1));
      const said = lines.length;
      await served.close();
      await served.closed;
      await eventually(() => expect(seen.aborted).toBe(1));
      await closeClients();
      await cut;
      expect(lines.length).toBe(said);
    });

    it('tells nothing of why it is not known on whose behalf a call is', async () => {
      let isKnown = true;
      const caller = (): CallerContext => {
        if (!isKnown) throw new Error('secret of the vault');
        return { headers: { authorization: 'Bearer ada' } };
      };
      const { connect, lines } = await start({ caller });
      const { call } = await connect();
      isKnown = false;
      const error = await catchError(() => call('notes__who'));
      expect(error).toMatchObject({ code: -32_603 });
      isKnown = true;
      expect((await call('notes__who')).isError).toBe(false);
      expect(lines.join()).not.toContain('secret');
    });
  });

  it.each(ERAS)('answers the first line of revision %s when it can, whatever came before', async (era) => {
    let isKnown = false;
    const caller = (): CallerContext => {
      if (!isKnown) throw new Error('secret of the vault');
      return { headers: {} };
    };
    const { toServer, lines } = openPipes(await bootForStdio(platform, NOTES), { caller });
    const first = era === '2026-07-28' ? modernBody('tools/list') : INITIALIZE;
    toServer.write(`no JSON\n{"jsonrpc":"1.0"}\n${first}\n`);
    await eventually(() => expect(lines.length).toBeGreaterThan(0));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal server error' } },
    ]);
    isKnown = true;
    toServer.write(`${first}\n`);
    await eventually(() => expect(lines.length).toBe(2));
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 1, result: {} });
    toServer.end();
  });

  it.each([
    ['a palette that there is none of', { palette: 'none' }, 'palette_unknown'],
    ['a server without a version', { serverInfo: { name: 'notes', version: '' } }, 'mcp_options_invalid'],
    ['an output schema of no operation', { outputSchemas: { 'notes.none': {} } }, 'mcp_options_invalid'],
  ])('is not served where it is not as it should be: %s', async (_what, options, code) => {
    const app = await bootForStdio(platform, NOTES);
    expect(await catchError(() => openPipes(app, options))).toMatchObject({ code });
    expect(() => openPipes(app)).not.toThrow();
  });
});
