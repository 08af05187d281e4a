import fastifyCompress from '@fastify/compress';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import { Controller, Get, Post, Req, Res, Session, StreamableFile, type INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';
import compression from 'compression';
import cookieParser from 'cookie-parser';
import session from 'express-session';
import helmet from 'helmet';
import { Operation } from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, type Platform } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { content, fidelityTable, handled } from './support/fidelity-table.js';

interface CookieRequest {
  readonly cookies: Record<string, string>;
  readonly signedCookies?: Record<string, string>;
}
interface CookieResponse {
  cookie?(name: string, value: string): unknown;
  setCookie?(name: string, value: string): unknown;
}

const LINES = Array.from({ length: 500 }, (_none, line) => `line ${line}`);

@Controller('plugged')
class PluggedController {
  @Operation() @Get('large') large(): unknown {
    return handled({ lines: LINES });
  }
  @Operation() @Get('file') file(): StreamableFile {
    return new StreamableFile(handled(Buffer.from(LINES.join('\n'))), { type: 'text/plain' });
  }
  @Operation() @Get('cookies') cookies(@Req() incoming: CookieRequest): unknown {
    return handled({ ...incoming.cookies });
  }
  @Operation() @Post('cookies') setCookie(@Res({ passthrough: true }) response: CookieResponse): unknown {
    (response.setCookie ?? response.cookie)?.call(response, 'seen', 'yes');
    return handled({ set: true });
  }
}

interface Visits {
  visits?: number;
}

@Controller('sessions')
class SessionsController {
  @Operation() @Post('visit') visit(@Session() visited: Visits): unknown {
    visited.visits = (visited.visits ?? 0) + 1;
    return handled({ visits: visited.visits });
  }
}

function plugIn(app: INestApplication, platform: Platform): void {
  if (platform === 'express') {
    app.use(
      helmet(),
      compression({ threshold: 0 }),
      cookieParser('a secret'),
      session({ secret: 'a secret', resave: false, saveUninitialized: false }),
    );
  } else {
    const fastify = app as NestFastifyApplication;
    void fastify.register(fastifyHelmet);
    void fastify.register(fastifyCompress, { threshold: 0 });
    void fastify.register(fastifyCookie, { secret: 'a secret' });
  }
}

const large = { tool: 'plugged__large', http: 'GET /plugged/large', status: 200, view: content({ lines: LINES }) };
const file = { tool: 'plugged__file', http: 'GET /plugged/file', status: 200, view: content(LINES.join('\n')) };
const cookies = { tool: 'plugged__cookies', http: 'GET /plugged/cookies', status: 200 };
const sent = { headers: { cookie: 'theme=dark; session=1' } };
const shared = [
  { what: 'leave an answer as it is', ...large },
  { what: 'leave a file as it is', ...file },
  {
    what: 'compress an answer for those who ask for it, and a tool never does',
    ...large,
    httpHeaders: { 'accept-encoding': 'gzip' },
    encoding: 'gzip' as const,
  },
  {
    what: 'compress a file for those who ask for it',
    ...file,
    httpHeaders: { 'accept-encoding': 'br' },
    encoding: 'br' as const,
  },
  { what: 'find no cookies where there are none', ...cookies, view: content({}) },
  {
    what: 'set cookies, which a model has no use for',
    tool: 'plugged__setCookie',
    http: 'POST /plugged/cookies',
    status: 201,
    view: content({ set: true }),
  },
];

fidelityTable('helmet, compression and cookies', {
  application: () => ({ controllers: [PluggedController] }),
  configure: plugIn,
  rows: [
    ...shared,
    {
      what: "read the caller's cookies",
      ...cookies,
      ...sent,
      view: content({ theme: 'dark', session: '1' }),
      differs: {
        because: 'cookies carry the whole authority of a browser: they travel where an application lists them',
        view: content({}),
      },
    },
  ],
});

fidelityTable('helmet, compression and cookies, cookies forwarded,', {
  application: () => ({ controllers: [PluggedController] }),
  configure: plugIn,
  dispatch: { forwardHeaders: ['Cookie'] },
  rows: [
    ...shared,
    { what: "read the caller's cookies", ...cookies, ...sent, view: content({ theme: 'dark', session: '1' }) },
  ],
});

describe('express-session', () => {
  afterEach(closeApplications);

  const boot = (forwardHeaders: string[]) =>
    bootDispatching(
      'express',
      { controllers: [SessionsController] },
      { configure: (app) => plugIn(app, 'express'), dispatch: { forwardHeaders } },
    );
  const visitOverHttp = async (app: INestApplication, cookie: string[] = []) =>
    request(app.getHttpServer() as never)
      .post('/sessions/visit')
      .set('Cookie', cookie);

  it('is that of the caller where cookies are forwarded', async () => {
    const { app, call } = await boot(['cookie']);
    const first = await visitOverHttp(app);
    const cookie = String(first.headers['set-cookie']).split(';', 1);
    expect(await call('sessions__visit', {}, { headers: { cookie: String(cookie) } })).toMatchObject({
      content: { visits: 2 },
    });
    expect((await visitOverHttp(app, cookie)).body).toEqual({ visits: 3 });
  });

  it('is a new one where they are not', async () => {
    const { app, call } = await boot([]);
    const first = await visitOverHttp(app);
    const cookie = String(first.headers['set-cookie']).split(';', 1);
    expect(await call('sessions__visit', {}, { headers: { cookie: String(cookie) } })).toMatchObject({
      content: { visits: 1 },
    });
    expect((await visitOverHttp(app, cookie)).body).toEqual({ visits: 2 });
  });
});
