import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { closeApplications, listen, PLATFORMS } from '../support/application.js';
import { sendRequest } from '../support/http-client.js';
import { serve, SERVER_INFO } from './support/applications.js';
import { messageIn, modernBody, modernHeaders, send } from './support/raw.js';

let calls = 0;

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query', description: 'Read notes.' })
  @Get()
  read(): unknown {
    calls += 1;
    return {};
  }
}

const LEGACY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const PARAMS = { name: 'notes__read', arguments: {} };

describe.each(PLATFORMS)('a request of many messages, on %s', (platform) => {
  beforeEach(() => void (calls = 0));
  afterEach(closeApplications);

  const batchOf = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: PARAMS })),
    );

  it('is refused past ten, and none of them runs', async () => {
    const { base } = await serve(platform, { controllers: [NotesController] });
    const refused = await send(base, { headers: LEGACY, body: batchOf(11) });
    expect([refused.status, messageIn(refused).error?.code, calls]).toEqual([400, -32_600, 0]);
    const answered = await send(base, { headers: LEGACY, body: batchOf(10) });
    expect([answered.status, answered.text.match(/^data: /gm)?.length, calls]).toEqual([200, 10, 10]);
  });
});

describe('a body that no parser of the application has read', () => {
  beforeEach(() => void (calls = 0));

  @Module({
    imports: [
      OperationsModule.forRoot({}),
      OperationsModule.forFeature({ palettes: [{ name: 'all', include: [operationsUnder('')] }] }),
      McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO, maxBodyBytes: 1_000 }),
    ],
    controllers: [NotesController],
  })
  class AppModule {}

  it.each([
    ['is read', modernBody('tools/call', PARAMS), 200, undefined],
    ['is refused where it is no JSON', '{"jsonrpc"', 400, -32_700],
    ['is refused where it is empty', '', 400, -32_700],
    [
      'is refused where it is larger than it may be',
      modernBody('tools/call', { ...PARAMS, x: 'x'.repeat(1_000) }),
      413,
      -32_000,
    ],
  ])('%s', async (_what, body, status, code) => {
    const app = await NestFactory.create(AppModule, new ExpressAdapter(), { logger: false, bodyParser: false });
    try {
      const base = await listen(app);
      const { hostname, port, host } = new URL(base);
      const headers = { host, ...modernHeaders('tools/call', PARAMS.name) };
      for (const framing of [
        { 'content-length': String(Buffer.byteLength(body)) },
        { 'transfer-encoding': 'chunked' },
      ] as Record<string, string>[]) {
        const request = { method: 'POST', path: '/mcp', headers: { ...headers, ...framing }, body: Buffer.from(body) };
        const answer = await sendRequest({ hostname, port }, request);
        const { error } = JSON.parse(answer.body.toString()) as { error?: { code: number } };
        expect([answer.status, error?.code]).toEqual([status, code]);
      }
      expect(calls).toBe(status === 200 ? 2 : 0);
    } finally {
      await app.close();
    }
  });
});
