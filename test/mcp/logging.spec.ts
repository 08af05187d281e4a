import { Controller, Get, NotFoundException, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ListQueryBody, Operation, QueryPolicy, type ListQuery, type PaletteOptions } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { serve } from './support/applications.js';
import { CLIENTS, closeClients, connect } from './support/clients.js';
import { ERAS, messageIn, rawRequest, send } from './support/raw.js';
import { toolCall, withHeaders } from './support/tool-calls.js';

@QueryPolicy<NoteRead>({ filterable: ['title'], sortable: [], aggregatable: [] })
class NoteRead {
  @IsString() title!: string;
}

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Get() read(): unknown {
    return { notes: 1 };
  }
  @Operation({ kind: 'query' }) @Post() list(@ListQueryBody(NoteRead) _query: ListQuery<NoteRead>): NoteRead[] {
    return [];
  }
  @Operation() @Get('use') use(): unknown {
    throw new NotFoundException({ code: 'tool_unknown', message: 'There is no such tool in the shed.' });
  }
}

describe.each(PLATFORMS)('what goes wrong, on %s', (platform) => {
  afterEach(async () => {
    await closeClients();
    await closeApplications();
  });

  async function start(palette: Partial<PaletteOptions> = {}) {
    const errors: string[] = [];
    const told: string[] = [];
    const record = (message: unknown): unknown => told.push(String(message));
    const logger = {
      log: record,
      warn: record,
      debug: record,
      error: (message: unknown) => errors.push(String(message)),
    };
    const { base, url } = await serve(
      platform,
      { controllers: [NotesController] },
      { palette, configure: (app) => app.useLogger(logger) },
    );
    return { base, url, errors, told };
  }

  describe.each(ERAS)('in the era of %s', (era) => {
    const REQUESTS = [
      toolCall(era, 'notes__read'),
      // One whose name is encoded takes the way of all that is out of the ordinary.
      ...(era === '2026-07-28'
        ? [withHeaders(toolCall(era, 'notes__read'), { 'mcp-name': '=?base64?bm90ZXNfX3JlYWQ=?=' })]
        : []),
      rawRequest(era, 'tools/list'),
      rawRequest(era, 'prompts/list'),
    ];

    it('in the application is in the log, once, with where it came from, and not in the answer', async () => {
      const { base, errors, told } = await start({
        visible: () => {
          throw new Error('db down');
        },
      });
      for (const request of REQUESTS) {
        const answer = await send(base, request);
        expect([answer.status, messageIn(answer).error]).toEqual([
          500,
          { code: -32_603, message: 'Internal server error' },
        ]);
        expect(JSON.parse(answer.text)).toMatchObject({ id: 1 });
        expect(errors.splice(0)).toEqual([expect.stringMatching(/^Error: db down\n +at .*logging\.spec/)]);
      }
      expect(told.filter((each) => each.includes('at '))).toEqual([]);
    });

    it('by a client’s own fault is in no log of errors', async () => {
      const { base, errors } = await start();
      for (const request of [
        toolCall(era, 'notes__none'),
        rawRequest(era, 'tools/none'),
        withHeaders(toolCall(era, 'notes__read'), { accept: 'text/html', 'mcp-protocol-version': '1999-01-01' }),
        { headers: rawRequest(era, 'tools/list').headers, body: '{}' },
        ...REQUESTS,
      ]) {
        await send(base, request);
      }
      expect(errors).toEqual([]);
    });
  });

  it.each(CLIENTS)(
    'with an application’s own code for what it does not find is told to the model: %s',
    async (kind) => {
      const { url } = await start();
      const { call } = await connect(kind, url);
      expect((await call('notes__use')).refusal).toEqual({
        code: 'tool_unknown',
        message: 'There is no such tool in the shed.',
      });
      await expect(call('notes__none')).rejects.toMatchObject({ code: -32_602 });
    },
  );
});
