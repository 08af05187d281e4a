import type { Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Head,
  Header,
  HttpCode,
  Param,
  Post,
  Res,
  StreamableFile,
  type INestApplication,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, type ExchangeEnding } from '../../../lib/dispatch/exchange/exchange.js';
import { messageClasses, type MessagePrototypes } from '../../../lib/dispatch/exchange/message-classes.js';
import { bootApplication, closeApplications, PLATFORMS } from '../../support/application.js';
import type { WireAnswer, WireRequest } from '../../support/http-client.js';
import { sendOverReferenceConnection } from '../../support/reference-connection.js';

interface AnyResponse {
  readonly raw?: ServerResponse;
  status(status: number): AnyResponse;
  header(name: string, value: string): AnyResponse;
  send(body?: unknown): void;
}

@Controller('ways')
class WaysController {
  @Get('json/:id') json(@Param('id') id: string): unknown {
    return { id, text: 'Grüße 🎬' };
  }
  @Header('x-total', '7') @Header('cache-control', 'no-store') @Get('text') text(): string {
    return 'Grüße';
  }
  @Get('nothing') nothing(): void {}
  @HttpCode(204) @Get('no-content') noContent(): void {}
  @Head('head') head(): string {
    return 'is not sent';
  }
  @Post('echo') echo(@Body() body: unknown): unknown {
    return body;
  }
  @Get('refused') refused(): void {
    throw new ConflictException({ code: 'EDITED', message: 'by somebody else' });
  }
  @Get('stream') stream(): StreamableFile {
    const chunks = Array.from({ length: 30 }, (_none, n) => Buffer.alloc(10_000, String(n % 10)));
    return new StreamableFile(Readable.from(chunks), { type: 'application/pdf', disposition: 'attachment' });
  }
  @Get('cookies') cookies(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as unknown as ServerResponse);
    raw.setHeader('set-cookie', ['a=1; Path=/', 'b=2; HttpOnly']);
    raw.setHeader('content-type', 'text/plain; charset=utf-8');
    raw.end('two');
  }
  @Get('pieces') pieces(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as unknown as ServerResponse);
    raw.writeHead(206, 'Some of it', { 'content-type': 'text/plain' });
    raw.write('Grü');
    setTimeout(() => {
      raw.write('ß');
      raw.end('e');
    }, 1);
  }
  @Get('hints') hints(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as unknown as ServerResponse);
    raw.writeEarlyHints({ link: '</a.css>; rel=preload' });
    raw.writeProcessing();
    raw.end('after two hints');
  }
  @Get('moved') moved(@Res() response: AnyResponse): void {
    response.status(303).header('location', '/elsewhere').send();
  }
}

const get = (path: string): WireRequest => ({ method: 'GET', path, headers: { host: 'localhost' } });
const post = (path: string, value: unknown): WireRequest => {
  const body = Buffer.from(JSON.stringify(value));
  const framing = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { method: 'POST', path, headers: { host: 'localhost', ...framing }, body };
};

const REQUESTS: readonly (readonly [string, WireRequest])[] = [
  ['JSON', get('/ways/json/a%20b')],
  ['text with headers', get('/ways/text')],
  ['nothing', get('/ways/nothing')],
  ['204', get('/ways/no-content')],
  ['HEAD', { ...get('/ways/head'), method: 'HEAD' }],
  ['a body', post('/ways/echo', { n: 1, text: 'Grüße' })],
  ['a body that is too large', post('/ways/echo', { text: 'x'.repeat(2_000_000) })],
  ['a body that is no JSON', { ...post('/ways/echo', ''), body: Buffer.from('{"') }],
  ['a refusal', get('/ways/refused')],
  ['a path that there is none of', get('/ways/unknown/path')],
  ['a path that is malformed', get('/ways/json/%E0%A4%A')],
  ['a stream', get('/ways/stream')],
  ['several cookies', get('/ways/cookies')],
  ['pieces, with a reason of its own', get('/ways/pieces')],
  ['informational answers first', get('/ways/hints')],
  ['a redirect', get('/ways/moved')],
];

/** How the bytes travel is another thing in memory: everything else has to be equal. */
const TRAVEL = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length']);

interface Compared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function compared(status: number, headers: WireAnswer['headers'], body: Buffer): Compared {
  const told = Object.entries(headers)
    .filter(([name]) => !TRAVEL.has(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)] as const);
  return { status, headers: Object.fromEntries(told), body: body.toString('latin1') };
}

const ENDLESS: ExchangeEnding = { hasEnded: false, onEnd: () => () => undefined };

describe.each(PLATFORMS)('an exchange in memory beside a connection, on %s', (platform) => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await bootApplication(platform, { controllers: [WaysController] });
  });
  afterAll(closeApplications);

  async function overConnection(request: WireRequest): Promise<Compared> {
    const { status, headers, body } = await sendOverReferenceConnection(app.getHttpServer() as Server, request);
    return compared(status, headers, body);
  }

  async function inMemory({ method, path, headers, body }: WireRequest): Promise<Compared> {
    const classes = messageClasses(app.getHttpAdapter().getInstance() as MessagePrototypes);
    const outcome = await exchange(
      { server: app.getHttpServer() as Server, classes },
      { method, url: path, headers, body, remoteAddress: '127.0.0.1' },
      { maxBytes: 1_000_000, isReadToEnd: false, ending: ENDLESS, onRequest: () => undefined },
    );
    if (outcome.kind !== 'answered') throw new Error(`there was no answer: ${outcome.kind}`);
    return compared(outcome.answer.status, outcome.answer.headers, outcome.answer.body);
  }

  it.each(REQUESTS)('answers alike: %s', async (_what, request) => {
    const reference = await overConnection(request);
    expect(reference.status).toBeGreaterThan(199);
    expect(await inMemory(request)).toEqual(reference);
  });

  it('answers both ways side by side', async () => {
    const numbers = Array.from({ length: 20 }, (_none, n) => n);
    const answers = await Promise.all(
      numbers.map((n) => (n % 2 === 0 ? inMemory : overConnection)(get(`/ways/json/${n}`))),
    );
    expect(answers.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(numbers.map(String));
  });
});
