import { buffer } from 'node:stream/consumers';
import { Body, Controller, Get, HttpCode, Module, Post, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { listen, PLATFORMS, type Platform } from '../support/application.js';
import { sendRequest } from '../support/http-client.js';
import { SERVER_INFO } from './support/applications.js';
import { ERAS, messageIn, send } from './support/raw.js';
import { toolCall } from './support/tool-calls.js';

let calls = 0;

class NoteDto {
  @IsString() title!: string;
}

@Controller('notes')
class NotesController {
  @Operation() @Get() read(): unknown {
    return { calls: ++calls };
  }
  @Operation({ kind: 'query' }) @Post() @HttpCode(200) create(@Body() { title }: NoteDto): unknown {
    calls += 1;
    return { title };
  }
}

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({ palettes: [{ name: 'all', include: [operationsUnder('')] }] }),
    McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO, maxBodyBytes: 1_000 }),
  ],
  controllers: [NotesController],
})
class AppModule {}

/** What a parser of the application makes of the endpoint's bodies; those of other routes are always made into objects. */
type Made = 'text' | 'bytes' | 'stream' | 'nothing';
const MADE: readonly Made[] = ['text', 'bytes', 'stream', 'nothing'];

const isOfTheEndpoint = ({ url }: { readonly url?: string | undefined }): boolean => url === '/mcp';

function parseOnExpress(app: NestExpressApplication, made: Made): void {
  app.useBodyParser('json', { type: (request) => !isOfTheEndpoint(request) });
  // Express has no parser that hands a stream on.
  if (made === 'text' || made === 'bytes')
    app.useBodyParser(made === 'text' ? 'text' : 'raw', { type: isOfTheEndpoint });
}

function parseOnFastify(app: NestFastifyApplication, made: Made): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addContentTypeParser('application/json', async (request: { url: string }, payload: NodeJS.ReadableStream) => {
    if (isOfTheEndpoint(request) && made === 'nothing') return undefined;
    if (isOfTheEndpoint(request) && made === 'stream') return payload;
    const bytes = await buffer(payload);
    if (!isOfTheEndpoint(request)) return JSON.parse(bytes.toString()) as object;
    return made === 'text' ? bytes.toString() : bytes;
  });
}

const running: INestApplication[] = [];

/** @param made undefined: the parsers that Nest brings */
async function start(platform: Platform, made: Made | undefined, creation: { bodyParser?: boolean } = {}) {
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const bodyParser = made === undefined && creation.bodyParser !== false;
  const app = await NestFactory.create(AppModule, adapter, { logger: false, bodyParser });
  running.push(app);
  if (made !== undefined && platform === 'express') parseOnExpress(app as NestExpressApplication, made);
  if (made !== undefined && platform === 'fastify') {
    parseOnFastify(app as unknown as NestFastifyApplication, made);
  }
  return listen(app);
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

describe.each(PLATFORMS)('a body, on %s', (platform) => {
  beforeEach(() => void (calls = 0));
  afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

  describe.each(ERAS)('in the era of %s', (era) => {
    const READ = toolCall(era, 'notes__read');
    const CREATE = toolCall(era, 'notes__create', { title: 'ä' });

    it.each(MADE)('that a parser leaves as %s is read', async (made) => {
      const base = await start(platform, made);
      const read = await send(base, READ);
      const created = await send(base, CREATE);
      expect([read.status, created.status]).toEqual([200, 200]);
      expect(messageIn(read).result).toMatchObject({ structuredContent: { calls: 1 } });
      expect(messageIn(created).result).toMatchObject({ structuredContent: { title: 'ä' } });
      expect(calls).toBe(2);
    });

    it.each(MADE)('that a parser leaves as %s is read after a byte order mark', async (made) => {
      const base = await start(platform, made);
      const answer = await send(base, { ...READ, body: `\uFEFF${READ.body}` });
      expect(messageIn(answer).result).toMatchObject({ structuredContent: { calls: 1 } });
    });

    it.each(MADE)('that a parser leaves as %s is refused where it is no message', async (made) => {
      const base = await start(platform, made);
      for (const [body, code, message] of [
        ['{"jsonrpc"', PARSE_ERROR, 'The body is not JSON.'],
        ['', PARSE_ERROR, 'The body is empty.'],
        ['7', INVALID_REQUEST, expect.any(String)],
        ['null', INVALID_REQUEST, expect.any(String)],
      ] as const) {
        const answer = await send(base, { ...READ, body });
        expect([answer.status, JSON.parse(answer.text)]).toEqual([
          400,
          { jsonrpc: '2.0', id: null, error: { code, message } },
        ]);
      }
      expect(calls).toBe(0);
    });

    it('that no parser has read is refused where it is larger than it may be, whether it says so or not', async () => {
      const base = await start(platform, 'nothing');
      const { hostname, port, host } = new URL(base);
      const { headers, body } = toolCall(era, 'notes__create', { title: 'x'.repeat(1_000) });
      const error = { code: -32_000, message: 'The body is larger than 1000 bytes.' };
      for (const framing of [
        { 'content-length': String(Buffer.byteLength(body)) },
        { 'transfer-encoding': 'chunked' },
      ] as Record<string, string>[]) {
        const sent = {
          method: 'POST',
          path: '/mcp',
          headers: { host, ...headers, ...framing },
          body: Buffer.from(body),
        };
        const answer = await sendRequest({ hostname, port }, sent);
        expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([413, { jsonrpc: '2.0', id: null, error }]);
      }
      expect(calls).toBe(0);
    });

    it('that is no JSON is refused by the parser that Nest brings, in the words of the application', async () => {
      const base = await start(platform, undefined);
      const answer = await send(base, { ...READ, body: '{"jsonrpc"' });
      const told = JSON.parse(answer.text) as object;
      expect([answer.status, Object.keys(told)]).toEqual([400, expect.arrayContaining(['statusCode', 'message'])]);
      expect(told).not.toHaveProperty('jsonrpc');
      expect(calls).toBe(0);
      expect(messageIn(await send(base, READ)).result).toMatchObject({ structuredContent: { calls: 1 } });
      expect(messageIn(await send(base, CREATE)).result).toMatchObject({ structuredContent: { title: 'ä' } });
    });

    it('is read where there are no parsers, and a tool that needs one fails', async () => {
      const base = await start(platform, undefined, { bodyParser: false });
      expect(messageIn(await send(base, READ)).result).toMatchObject({ structuredContent: { calls: 1 } });
      const { result } = messageIn(await send(base, CREATE));
      // Fastify reads JSON by itself.
      if (platform === 'fastify') return expect(result).toMatchObject({ structuredContent: { title: 'ä' } });
      const text = JSON.stringify({ code: 'operation_failed', message: 'The tool failed.' });
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
    });
  });
});
