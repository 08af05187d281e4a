import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Operation, OperationsModule, operationsUnder } from 'nestjs-palette';
import { McpModule, type McpModuleOptions } from 'nestjs-palette/mcp';
import { refusedSender } from '../../lib/mcp/http/sender.js';
import { bootApplication, closeApplications, PLATFORMS, type Platform } from '../support/application.js';
import { sendRequest } from '../support/http-client.js';
import { SERVER_INFO } from './support/applications.js';
import { ERAS, messageIn, type RawAnswer } from './support/raw.js';
import { toolCall, withHeaders } from './support/tool-calls.js';

type Headers = Readonly<Record<string, string>>;
type Allowed = Pick<McpModuleOptions, 'allowedOrigins' | 'allowedHosts'>;

const HOST = 'mcp_host_refused';
const ORIGIN = 'mcp_origin_refused';

/** What is said of a request that came in at an address of the server's. */
function refused(localAddress: string | undefined, headers: Headers, { allowedOrigins, allowedHosts }: Allowed = {}) {
  const request = { socket: { localAddress }, headers } as unknown as IncomingMessage;
  return refusedSender(request, { allowedOrigins: allowedOrigins && new Set(allowedOrigins), allowedHosts });
}

const LOOPBACK = ['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'] as const;
const NETWORK = [
  '10.0.0.5',
  '192.0.2.127',
  '::ffff:10.0.0.5',
  '2001:db8::1',
  'fe80::1',
  '::',
  '::ffff:1.127.0.0',
] as const;

describe.each(LOOPBACK)('a connection within the machine, to %s', (address) => {
  it.each(['localhost', 'localhost:3000', 'LOCALHOST', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'may call it "%s", and no page of another machine may',
    (host) => {
      expect(refused(address, { host })).toBeUndefined();
      expect(refused(address, { host, origin: 'http://localhost:6274' })).toBeUndefined();
      expect(refused(address, { host, origin: 'https://evil.example' })).toBe(ORIGIN);
    },
  );

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    '127.0.0.1.evil.example',
    '10.0.0.5',
    '0.0.0.0',
    '[::]',
    '::1',
    '',
    ' ',
  ])('may not call it "%s", whoever’s page it is', (host) => {
    expect(refused(address, { host })).toBe(HOST);
    expect(refused(address, { host, origin: `http://${host}` })).toBe(HOST);
    expect(refused(address, { host }, { allowedOrigins: ['https://app.example.com'] })).toBe(HOST);
  });

  it('has a name for it', () => {
    expect(refused(address, {})).toBe(HOST);
    expect(refused(address, { ':authority': 'localhost:3000' })).toBeUndefined();
    expect(refused(address, { ':authority': 'evil.example' })).toBe(HOST);
  });

  it.each(['http://localhost', 'https://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:5173'])(
    'may be opened by a page of %s, unless others are listed',
    (origin) => {
      expect(refused(address, { host: 'localhost', origin })).toBeUndefined();
      expect(refused(address, { host: 'localhost', origin }, { allowedOrigins: ['https://app.example.com'] })).toBe(
        ORIGIN,
      );
      expect(refused(address, { host: 'localhost', origin }, { allowedOrigins: [] })).toBe(ORIGIN);
    },
  );

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://evil.example/localhost',
    'http://10.0.0.5',
    'null',
    'localhost',
    'file://',
    '',
  ])('may not be opened by a page of "%s"', (origin) => {
    expect(refused(address, { host: 'localhost', origin })).toBe(ORIGIN);
  });
});

describe.each([...NETWORK, undefined])('a connection from elsewhere, to %s', (address) => {
  it.each(['api.example.com', 'localhost', '10.0.0.5:3000', 'evil.example'])('may call it "%s"', (host) => {
    expect(refused(address, { host })).toBeUndefined();
  });

  it('may be opened by no page, unless its origin is listed', () => {
    for (const origin of ['https://app.example.com', 'http://localhost', 'http://127.0.0.1', 'null', '']) {
      expect(refused(address, { host: 'api.example.com', origin })).toBe(ORIGIN);
    }
    const allowed = { allowedOrigins: ['https://app.example.com'] };
    expect(refused(address, { host: 'x', origin: 'https://app.example.com' }, allowed)).toBeUndefined();
    expect(refused(address, { host: 'x', origin: 'https://app.example.com.evil.example' }, allowed)).toBe(ORIGIN);
  });
});

describe.each([...LOOPBACK, ...NETWORK])('what is listed, for a connection to %s', (address) => {
  const allowed = { allowedHosts: ['api.example.com', '[2001:db8::1]'], allowedOrigins: ['https://app.example.com'] };

  it.each([
    ['api.example.com', undefined],
    ['api.example.com:8443', undefined],
    ['API.example.com', undefined],
    ['[2001:db8::1]:443', undefined],
    ['localhost', HOST],
    ['127.0.0.1', HOST],
    ['example.com', HOST],
    ['x.api.example.com', HOST],
    ['api.example.com.evil.example', HOST],
  ])('is all that it may be called: "%s"', (host, code) => {
    expect(refused(address, { host }, allowed)).toBe(code);
    expect(refused(address, { host, origin: 'https://app.example.com' }, allowed)).toBe(code);
    expect(refused(address, { host, origin: 'http://localhost' }, allowed)).toBe(code ?? ORIGIN);
  });

  it.each([
    ['https://app.example.com', undefined],
    ['https://APP.example.com', ORIGIN],
    ['https://app.example.com/', ORIGIN],
    ['https://app.example.com:443', ORIGIN],
    ['http://app.example.com', ORIGIN],
  ])('is all that may open it, letter by letter as browsers write it: "%s"', (origin, code) => {
    expect(refused(address, { host: 'api.example.com', origin }, allowed)).toBe(code);
  });

  it('lets nobody in where it is an empty list', () => {
    expect(refused(address, { host: 'localhost' }, { allowedHosts: [] })).toBe(HOST);
  });
});

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

@Controller('notes')
class NotesController {
  @Operation() @Get() read(): unknown {
    return { notes: ++calls };
  }
}

let calls = 0;

// Skipped where the machine has no address ::1 to listen on.
(hasIPv6 ? describe : describe.skip).each(PLATFORMS)('an endpoint that listens on ::1, on %s', (platform) => {
  beforeEach(() => void (calls = 0));
  afterEach(closeApplications);

  it.each(ERAS)('is for this machine alone, in the era of %s', async (era) => {
    const app = await boot(platform);
    await app.listen(0, '::1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const answerTo = async (headers: Headers) => {
      const request = withHeaders(toolCall(era, 'notes__read'), { host: `[::1]:${port}`, ...headers });
      const body = Buffer.from(request.body);
      const framed = { ...request.headers, 'content-length': String(body.length) };
      const sent = { method: 'POST', path: '/mcp', headers: framed, body };
      const { status, ...answer } = await sendRequest({ hostname: '::1', port }, sent);
      return [status, codeIn({ status, headers: answer.headers, text: answer.body.toString() })];
    };
    for (const passes of [{}, { host: 'localhost' }, { origin: `http://[::1]:${port}` }] as Headers[]) {
      expect(await answerTo(passes)).toEqual([200, undefined]);
    }
    expect(await answerTo({ host: 'evil.example' })).toEqual([403, HOST]);
    expect(await answerTo({ origin: 'https://evil.example' })).toEqual([403, ORIGIN]);
    expect(calls).toBe(3);
  });
});

function codeIn(answer: RawAnswer): unknown {
  return (messageIn(answer).error?.data as { code?: unknown } | undefined)?.code;
}

function boot(platform: Platform): Promise<INestApplication> {
  return bootApplication(platform, {
    controllers: [NotesController],
    imports: [
      OperationsModule.forRoot({}),
      OperationsModule.forFeature({ palettes: [{ name: 'all', include: [operationsUnder('')] }] }),
      McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO }),
    ],
  });
}
