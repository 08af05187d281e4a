import {
  Controller,
  Get,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type INestApplication,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { serve, type ServeOptions } from './support/applications.js';
import { ERAS, messageIn, send, type RawAnswer } from './support/raw.js';
import { opening, toolCall, withHeaders } from './support/tool-calls.js';

const PAGE = 'https://app.example.com';

@Controller('notes')
class NotesController {
  @Operation() @Get() read(): unknown {
    return { notes: 1 };
  }
  @Operation() @Get('slow') async slow(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 150));
    return { notes: 2 };
  }
}

class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    throw new UnauthorizedException();
  }
}

/** What an application sets by itself: for pages of one origin, and a header by each of the ways that its platform has. */
function headersOfTheApplication(app: INestApplication, platform: Platform): void {
  app.enableCors({ origin: [PAGE], credentials: true, exposedHeaders: ['mcp-session-id'] });
  app.use((_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
    response.setHeader('x-frame-options', 'DENY');
    next();
  });
  if (platform === 'express') {
    app.use((_request: unknown, response: { set(name: string, value: string): void }, next: () => void) => {
      response.set('x-application', 'notes');
      next();
    });
    return;
  }
  const fastify = (app as NestFastifyApplication).getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('x-application', 'notes');
    done();
  });
}

const headersIn = ({ headers }: RawAnswer) => ({
  origin: headers['access-control-allow-origin'],
  credentials: headers['access-control-allow-credentials'],
  exposed: headers['access-control-expose-headers'],
  varies: /\borigin\b/i.test(headers['vary'] ?? ''),
  middleware: headers['x-frame-options'],
  hook: headers['x-application'],
});

const OF_THE_PAGE = {
  origin: PAGE,
  credentials: 'true',
  exposed: 'mcp-session-id',
  varies: true,
  middleware: 'DENY',
  hook: 'notes',
};

describe.each(PLATFORMS)('the headers of the application, on %s', (platform) => {
  afterEach(closeApplications);

  const start = async (mcp: ServeOptions['mcp'] = {}): Promise<string> => {
    const configure = (app: INestApplication): void => headersOfTheApplication(app, platform);
    const options = { configure, mcp: { allowedOrigins: [PAGE], progressIntervalMs: 20, ...mcp } };
    return (await serve(platform, { controllers: [NotesController] }, options)).base;
  };

  describe.each(ERAS)('in the era of %s', (era) => {
    const READ = withHeaders(toolCall(era, 'notes__read'), { origin: PAGE });

    it('are in what a browser asks before it sends a message', async () => {
      const base = await start();
      const asked = Object.keys(READ.headers)
        .filter((name) => !['accept', 'origin'].includes(name))
        .join(', ');
      const headers = {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      };
      const answer = await send(base, { method: 'OPTIONS', headers });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(answer.headers['access-control-allow-methods']).toContain('POST');
      expect(answer.headers['access-control-allow-headers']).toBe(asked);
      expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
    });

    it('are in an answer', async () => {
      const base = await start();
      for (const request of [withHeaders(opening(era), { origin: PAGE }), READ]) {
        const answer = await send(base, request);
        expect([answer.status, messageIn(answer).error]).toEqual([200, undefined]);
        expect(headersIn(answer)).toEqual(OF_THE_PAGE);
      }
    });

    it('are in a stream of events', async () => {
      const base = await start();
      const slow = toolCall(era, 'notes__slow', {}, 'p');
      const answer = await send(base, withHeaders(slow, { origin: PAGE }));
      expect(answer.headers['content-type']).toBe('text/event-stream');
      expect(answer.text).toContain('notifications/progress');
      expect(answer.text).toContain('"notes":2');
      expect(headersIn(answer)).toEqual(OF_THE_PAGE);
    });

    it('are in a refusal, of the protocol, of the endpoint or of a guard', async () => {
      const base = await start();
      const unknown = await send(base, withHeaders(toolCall(era, 'notes__none'), { origin: PAGE }));
      expect(messageIn(unknown).error?.data).toEqual({ code: 'tool_unknown' });
      const plain = await send(base, withHeaders(READ, { 'content-type': 'text/plain' }));
      const host = await send(base, withHeaders(READ, { host: 'evil.example' }));
      const method = await send(base, { method: 'GET', headers: { origin: PAGE } });
      expect([plain.status, host.status, method.status]).toEqual([415, 403, 405]);
      await closeApplications();
      const guarded = await start({ decorators: [UseGuards(NobodyGuard)] });
      const nobody = await send(guarded, READ);
      expect(nobody.status).toBe(401);
      for (const answer of [unknown, plain, host, method, nobody]) expect(headersIn(answer)).toEqual(OF_THE_PAGE);
    });

    it('give no page of another origin the answer', async () => {
      const base = await start();
      const answer = await send(base, withHeaders(READ, { origin: 'https://evil.example' }));
      expect(answer.status).toBe(403);
      expect(messageIn(answer).error?.data).toEqual({ code: 'mcp_origin_refused' });
      expect(headersIn(answer)).toMatchObject({ origin: undefined, middleware: 'DENY', hook: 'notes' });
    });
  });

  it('let a page read the id of its session', async () => {
    const base = await start();
    const answer = await send(base, withHeaders(opening('2025-11-25'), { origin: PAGE }));
    expect(answer.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['access-control-expose-headers']).toBe('mcp-session-id');
  });
});
