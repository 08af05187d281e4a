import { connect as connectTo } from 'node:net';
import { once } from 'node:events';
import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { listen, PLATFORMS, type Platform } from '../support/application.js';
import { SERVER_INFO } from './support/applications.js';
import { ERAS, messageIn, send } from './support/raw.js';
import { toolCall } from './support/tool-calls.js';

@Controller('notes')
class NotesController {
  @Operation({ kind: 'query' }) @Get() read(): unknown {
    return { notes: 1 };
  }
}

@Module({
  imports: [
    OperationsModule.forRoot({}),
    OperationsModule.forFeature({ palettes: [{ name: 'all', include: [operationsUnder('')] }] }),
    McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO }),
  ],
  controllers: [NotesController],
})
class AppModule {}

describe.each(PLATFORMS)('a request that is none of the protocol’s, on %s', (platform) => {
  const errors: unknown[] = [];
  let app: INestApplication | undefined;
  beforeEach(() => void (errors.length = 0));
  afterEach(() => app?.close());

  /** An application that leaves the bodies of the endpoint unread. */
  async function start(): Promise<string> {
    const quiet = (): void => undefined;
    const logger = { log: quiet, warn: quiet, debug: quiet, error: (...told: unknown[]) => errors.push(told) };
    app = await NestFactory.create(AppModule, adapterOf(platform), { logger, bodyParser: false });
    return listen(app);
  }

  it.each(['TRACE', 'PUT', 'PATCH', 'HEAD', 'GET', 'DELETE'])('is told that only POST is: %s', async (method) => {
    const base = await start();
    const answer = await send(base, { method });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    if (method !== 'HEAD') expect(messageIn(answer).error).toEqual({ code: -32_000, message: 'Method not allowed.' });
    expect(errors).toEqual([]);
  });

  it.each(ERAS)('is left where its client is gone in the middle of it, in the era of %s', async (era) => {
    const base = await start();
    const { hostname, port, host } = new URL(base);
    const { headers, body } = toolCall(era, 'notes__read');
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const [framing, first] of [
      [`content-length: ${body.length}`, body.slice(0, 20)],
      ['transfer-encoding: chunked', `14\r\n${body.slice(0, 20)}\r\n`],
    ] as const) {
      const client = connectTo(Number(port), hostname);
      await once(client, 'connect');
      client.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}${framing}\r\n\r\n${first}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(errors).toEqual([]);
    const answer = await send(base, { headers, body });
    expect([answer.status, messageIn(answer).result?.['structuredContent']]).toEqual([200, { notes: 1 }]);
  });
});

function adapterOf(platform: Platform): ExpressAdapter | FastifyAdapter {
  if (platform === 'express') return new ExpressAdapter();
  const adapter = new FastifyAdapter();
  adapter.getInstance().addContentTypeParser('application/json', (_request, _payload, done) => done(null));
  return adapter;
}
