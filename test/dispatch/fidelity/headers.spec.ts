import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  Controller,
  Get,
  Header,
  Headers,
  Ip,
  Post,
  Body,
  Req,
  StreamableFile,
  type INestApplication,
} from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  getPaletteToken,
  Operation,
  OperationDispatcher,
  OperationsModule,
  PaletteBootError,
  type Palette,
} from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { catchError } from '../../support/catch-error.js';
import { bootDispatching } from '../../support/dispatching.js';
import { content, fidelityTable, handled } from './support/fidelity-table.js';

const JSON_TEXT = JSON.stringify({ packed: 'Grüße '.repeat(100) });

interface ParsedRequest {
  readonly method: string;
  readonly url: string;
  readonly hostname: string;
  readonly protocol: string;
  readonly httpVersion?: string;
  readonly raw?: { readonly httpVersion: string };
}

@Controller('headers')
class HeadersController {
  @Operation() @Get('seen') seen(@Headers() headers: Record<string, string>): unknown {
    return handled(headers);
  }
  @Operation() @Post('seen') seenWithBody(@Headers() headers: Record<string, string>, @Body('n') n: number): unknown {
    return handled({ type: headers['content-type'], length: headers['content-length'], n });
  }
  @Operation() @Get('tagged') tagged(): unknown {
    return handled({ version: 7 });
  }
  @Operation() @Get('address') address(@Ip() ip: string): unknown {
    return handled({ ip });
  }
  @Operation() @Get('request') request(@Req() request: ParsedRequest): unknown {
    const { method, url, hostname, protocol } = request;
    return handled({ method, url, hostname, protocol, version: (request.raw ?? request).httpVersion });
  }
  @Operation() @Header('content-encoding', 'gzip') @Get('gzip') gzip(): StreamableFile {
    return packed(gzipSync(JSON_TEXT));
  }
  @Operation() @Header('content-encoding', 'br') @Get('br') br(): StreamableFile {
    return packed(brotliCompressSync(JSON_TEXT));
  }
  @Operation() @Header('content-encoding', 'deflate') @Get('deflate') deflate(): StreamableFile {
    return packed(deflateSync(JSON_TEXT));
  }
}

function packed(bytes: Buffer): StreamableFile {
  return new StreamableFile(handled(bytes), { type: 'application/json' });
}

const tagged = { tool: 'headers__tagged', http: 'GET /headers/tagged' };
const unpacked = (encoding: 'gzip' | 'br' | 'deflate') => ({
  what: `packed by the handler: ${encoding}`,
  tool: `headers__${encoding}`,
  http: `GET /headers/${encoding}`,
  encoding,
  status: 200,
  view: content(JSON.parse(JSON_TEXT)),
});

fidelityTable('headers', {
  application: () => ({ controllers: [HeadersController] }),
  dispatch: { forwardHeaders: ['X-Tenant'] },
  rows: [
    {
      what: 'are seen as they were sent',
      tool: 'headers__seen',
      http: 'GET /headers/seen',
      headers: {
        authorization: 'Bearer T',
        'x-tenant': '42',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
      httpHeaders: { connection: 'close' },
      status: 200,
      view: content({
        host: 'localhost',
        accept: 'application/json',
        authorization: 'Bearer T',
        'x-tenant': '42',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        connection: 'close',
      }),
      differs: {
        because: 'a tool call has no connection to say something about',
        view: content({
          host: 'localhost',
          accept: 'application/json',
          authorization: 'Bearer T',
          'x-tenant': '42',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        }),
      },
    },
    {
      what: 'tell the body',
      tool: 'headers__seenWithBody',
      args: { n: 1 },
      http: 'POST /headers/seen',
      body: { n: 1 },
      status: 201,
      view: content({ type: 'application/json', length: '7', n: 1 }),
    },
    {
      what: 'and the rest of a request are read as over HTTP',
      tool: 'headers__request',
      http: 'GET /headers/request',
      status: 200,
      view: content({
        method: 'GET',
        url: '/headers/request',
        hostname: 'localhost',
        protocol: 'http',
        version: '1.1',
      }),
    },
    {
      what: 'come from an address',
      tool: 'headers__address',
      http: 'GET /headers/address',
      status: 200,
      view: content({ ip: '127.0.0.1' }),
    },
    { what: 'ask for nothing in particular', ...tagged, status: 200, view: content({ version: 7 }) },
    {
      what: 'ask whether something changed',
      on: 'express',
      ...tagged,
      headers: { 'if-none-match': '*' },
      status: 304,
      view: content({}),
      differs: {
        because: "a condition is about the caller's own copy, which a model has none of",
        view: content({ version: 7 }),
      },
    },
    unpacked('gzip'),
    unpacked('br'),
    unpacked('deflate'),
  ],
});

describe.each(PLATFORMS)('headers of a caller on %s', (platform) => {
  afterEach(closeApplications);

  const boot = (forwardHeaders: string[], configure: (app: INestApplication) => void = () => undefined) =>
    bootDispatching(platform, { controllers: [HeadersController] }, { dispatch: { forwardHeaders }, configure });

  it.each(['if-none-match', 'If-Modified-Since', 'if-match', 'if-range', 'range'])(
    'cannot be listed where they are about a copy that the caller has: %s',
    async (header) => {
      const error = await catchError(() => boot(['x-tenant', header]));
      expect(PaletteBootError.isInstance(error) && error.faults).toMatchObject([{ code: 'dispatch_header_forbidden' }]);
    },
  );

  it('are read by any spelling, and keep their own value', async () => {
    const { call } = await boot(['X-TENANT', 'x-api-key']);
    const headers = { 'x-tenant': '42', 'x-api-key': 'K', 'x-other': 'no' };
    const { content: seen } = await call('headers__seen', {}, { headers });
    expect(seen).toEqual({ host: 'localhost', accept: 'application/json', 'x-tenant': '42', 'x-api-key': 'K' });
  });

  it.each(['192.0.2.7', '2001:db8::7', '::1'])('come from the address of the caller: %s', async (remoteAddress) => {
    const { call } = await boot([]);
    expect(await call('headers__address', {}, { remoteAddress })).toMatchObject({ content: { ip: remoteAddress } });
  });
});

describe('headers of a caller behind a proxy', () => {
  afterEach(closeApplications);

  it('tell no address of their own', async () => {
    const { call } = await bootDispatching(
      'express',
      { controllers: [HeadersController] },
      { configure: (app) => (app as NestExpressApplication).set('trust proxy', 'loopback') },
    );
    const caller = { remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '203.0.113.9' } };
    expect((await call('headers__address', {}, caller)).content).toEqual({ ip: '192.0.2.7' });
  });

  it('tell the address of their client where they are forwarded and the proxy is trusted', async () => {
    const { call } = await bootDispatching(
      'express',
      { controllers: [HeadersController] },
      {
        configure: (app) => (app as NestExpressApplication).set('trust proxy', 'loopback'),
        dispatch: { forwardHeaders: ['x-forwarded-for'] },
      },
    );
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const addresses = await Promise.all(
      ['127.0.0.1', '192.0.2.7'].map((remoteAddress) => call('headers__address', {}, { remoteAddress, headers })),
    );
    expect(addresses.map(({ content: seen }) => seen)).toEqual([{ ip: '203.0.113.9' }, { ip: '192.0.2.7' }]);
  });
});

describe.each(PLATFORMS)('a server that speaks TLS on %s', (platform) => {
  afterEach(closeApplications);

  it('is told so of each tool call', async () => {
    const testingModule = await Test.createTestingModule({
      imports: [
        OperationsModule.forRoot({}),
        OperationsModule.forFeature({ palettes: [{ name: 'seen', include: ['headers.request'] }] }),
      ],
      controllers: [HeadersController],
    }).compile();
    const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter({ https: {} });
    const app = testingModule.createNestApplication(adapter, { logger: false, httpsOptions: {} });
    await app.init();
    const palette = app.get<Palette>(getPaletteToken('seen'), { strict: false });
    const call = { id: 'call-1', name: 'headers__request', arguments: {} };
    const { content: seen } = await app.get(OperationDispatcher).dispatch(call, { palette, caller: { headers: {} } });
    await app.close();
    expect(seen).toMatchObject({ protocol: 'https', hostname: 'localhost' });
  });
});
