import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Delete,
  Get,
  Head,
  Header,
  HttpCode,
  HttpStatus,
  NotFoundException,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  StreamableFile,
  type INestApplication,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Operation } from 'nestjs-palette';
import { from, of, type Observable } from 'rxjs';
import type { Platform } from '../../support/application.js';
import { content, fidelityTable, handled, hostHasToRepair, refused, thrown } from './support/fidelity-table.js';

/** What responses of both platforms can do. */
interface AnyResponse {
  readonly raw?: ServerResponse;
  status(status: number): AnyResponse;
  header(name: string, value: string): AnyResponse;
  send(body?: unknown): void;
}

function rawOf(response: AnyResponse): ServerResponse {
  return response.raw ?? (response as unknown as ServerResponse);
}

const UNICODE = 'Grüße, 漢字, 🎬, \u202e, \u0000, "quoted" \\ /';
const BYTES_300_KB = 300_000;

class Money {
  constructor(private readonly cents: number) {}
  toJSON(): string {
    return `${this.cents / 100} EUR`;
  }
}

@Controller('json')
class JsonController {
  @Operation() @Get('object') object(): unknown {
    return handled({ when: new Date(0), money: new Money(150), nothing: null, left: undefined, list: [new Date(1)] });
  }
  @Operation() @Get('list') list(): unknown {
    return handled([1, null, { a: 'b' }]);
  }
  @Operation() @Get('unicode/:text') unicode(@Param('text') text: string, @Query('q') q: string): unknown {
    return handled({ text, q, all: UNICODE });
  }
  @Operation() @Get('special') special(): unknown {
    return handled({ nan: Number.NaN, map: new Map([['a', 1]]), big: Number.MAX_SAFE_INTEGER, 'a.b': { __proto: 1 } });
  }
  @Operation() @Get('empty-object') emptyObject(): object {
    return handled({});
  }
  @Operation() @Get('empty-list') emptyList(): unknown[] {
    return handled([]);
  }
  @Operation() @Get('number/:kind') number(@Param('kind') kind: string): unknown {
    return handled({ n: kind === 'big' ? 1n : 1 });
  }
  @Operation() @Get('promise') async promise(): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return handled({ late: true });
  }
  @Operation() @Get('observable') observable(): Observable<unknown> {
    return of(handled({ observed: true }));
  }
  @Operation() @Get('observable-of-many') observableOfMany(): Observable<unknown> {
    return from([handled({ n: 1 }), { n: 2 }]);
  }
}

@Controller('scalar')
class ScalarController {
  @Operation() @Get('text') text(): string {
    return handled(UNICODE.replace('\u0000', ''));
  }
  @Operation() @Get('number') number(): number {
    return handled(42);
  }
  @Operation() @Get('boolean') boolean(): boolean {
    return handled(false);
  }
  @Operation({ name: 'scalar.null' }) @Get('null') nil(): null {
    return handled(null);
  }
  @Operation() @Get('nothing') nothing(): void {
    handled(undefined);
  }
  @Operation() @Get('empty-text') emptyText(): string {
    return handled('');
  }
  @Operation() @Get('buffer') buffer(): Buffer {
    return handled(Buffer.from('bytes'));
  }
}

@Controller('status')
class StatusController {
  @Operation() @HttpCode(HttpStatus.ACCEPTED) @Post('accepted') accepted(): unknown {
    return handled({ queued: true });
  }
  @Operation() @HttpCode(204) @Delete(':id') remove(@Param('id') _id: string): void {
    handled(undefined);
  }
  @Operation({ name: 'status.removeSome' }) @Delete() removeSome(@Body('ids') ids: string[]): unknown {
    return handled({ removed: ids });
  }
  @Operation() @HttpCode(205) @Post('reset') reset(): void {
    handled(undefined);
  }
  @Operation() @Put('put') put(@Body('n') n: number): unknown {
    return handled({ put: n });
  }
  @Operation() @Patch('patch') patch(@Body('n') n: number): unknown {
    return handled({ patched: n });
  }
  @Operation() @Head('head') head(): string {
    return handled('is not sent');
  }
  @Operation() @Get('found/:id') found(@Param('id') id: string): unknown {
    handled(id);
    if (id === 'none') throw new NotFoundException('there is none');
    return { id };
  }
  @Operation() @Header('x-total', '7') @Header('cache-control', 'no-store') @Get('header') header(): unknown {
    return handled({ total: 7 });
  }
  @Operation() @Header('content-type', 'application/vnd.notes+json') @Get('vendor') vendor(): string {
    return handled('{"vendor":true}');
  }
  @Operation() @Header('content-type', 'text/csv') @Get('csv') csv(): string {
    return handled('a,b\n1,2\n');
  }
  @Operation() @Get('moved') moved(@Res() response: AnyResponse): void {
    handled(undefined);
    response.status(303).header('location', '/elsewhere').send();
  }
}

@Controller('response')
class ResponseController {
  @Operation() @Get('send') send(@Res() response: AnyResponse): void {
    response.status(202).send(handled({ sent: true }));
  }
  @Operation() @Get('send-later') sendLater(@Res() response: AnyResponse): void {
    setTimeout(() => response.status(200).send(handled({ sent: 'later' })), 2);
  }
  @Operation() @Get('passthrough') passthrough(@Res({ passthrough: true }) response: AnyResponse): unknown {
    response.status(202).header('x-total', '7');
    return handled({ passed: 'through' });
  }
  @Operation() @Get('refuse') refuse(@Res() response: AnyResponse, @Query('well') well?: string): void {
    handled(undefined);
    if (well === 'yes') response.status(200).send({ well });
    else response.status(409).send({ code: 'EDITED', message: 'by somebody else' });
  }
  @Operation() @Get('raw') raw(@Res() response: AnyResponse): void {
    const raw = rawOf(response);
    raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '12' });
    raw.write(handled('{"raw"'));
    raw.end(':true}');
  }
  @Operation() @Get('chunked') chunked(@Res() response: AnyResponse): void {
    const raw = rawOf(response);
    raw.setHeader('content-type', 'text/plain; charset=utf-8');
    raw.write(handled('Grü'));
    setTimeout(() => raw.end('ße'), 2);
  }
  @Operation() @Get('said-chunked/:how') saidChunked(@Param('how') how: string, @Res() response: AnyResponse): void {
    const raw = rawOf(response);
    raw.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': how });
    raw.write(handled('{"chun'));
    setTimeout(() => raw.end('ked":true}'), 2);
  }
  @Operation() @Get('early') early(@Res() response: AnyResponse): void {
    const raw = rawOf(response);
    raw.writeEarlyHints({ link: '</a.css>; rel=preload' });
    raw.writeHead(200, { 'content-type': 'text/plain' });
    raw.end(handled('after a hint'));
  }
}

const FILE = join(import.meta.dirname, 'answers.spec.ts');
const FILE_TEXT = readFileSync(FILE, 'utf8');

@Controller('response')
class ExpressResponseController {
  @Operation() @Get('file') file(@Res() response: { type(type: string): { sendFile(path: string): void } }): void {
    response.type('text/plain').sendFile(handled(FILE));
  }
}

@Controller('files')
class FilesController {
  @Operation() @Get('bytes') bytes(): StreamableFile {
    return new StreamableFile(handled(Buffer.alloc(2_000, 'x')), {
      type: 'application/pdf',
      disposition: 'attachment',
    });
  }
  @Operation() @Get('json') json(): StreamableFile {
    return new StreamableFile(Readable.from([Buffer.from('{"from":'), Buffer.from(handled('"a stream"}'))]), {
      type: 'application/json',
    });
  }
  @Operation() @Get('text') text(): StreamableFile {
    return new StreamableFile(Readable.from([handled('one, '), 'two'].map(Buffer.from)), { type: 'text/plain' });
  }
  @Operation() @Get('untyped') untyped(): StreamableFile {
    return new StreamableFile(handled(Buffer.from('octets')));
  }
  @Operation() @Get('broken/:how') broken(@Param('how') how: string): StreamableFile {
    handled(how);
    return new StreamableFile(how === 'well' ? Readable.from([Buffer.from('well')]) : failingStream(), {
      type: 'text/plain',
    });
  }
}

function failingStream(): Readable {
  return new Readable({
    read() {
      this.destroy(new Error('the disk is gone'));
    },
  });
}

@Controller('sizes')
class SizesController {
  @Operation() @Post('in') in(@Body('text') text: string): unknown {
    return handled({ length: text.length });
  }
  @Operation() @Get('out') out(): unknown {
    return handled({ text: 'ü'.repeat(BYTES_300_KB / 2) });
  }
  @Operation() @Get('stream') stream(): StreamableFile {
    handled(undefined);
    return new StreamableFile(Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(10_000, 'x'))), {
      type: 'text/plain',
    });
  }
}

const failing = { tool: 'files__broken', args: { how: 'ill' }, http: 'GET /files/broken/ill', runs: 1 };

const plain = (tool: string, view: unknown, status = 200) => ({
  what: `${tool} as it is`,
  tool: tool.replace('/', '__').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase()),
  http: `GET /${tool}`,
  status,
  view: content(view),
});

fidelityTable('answers', {
  application: (platform) => ({
    controllers: [
      JsonController,
      ScalarController,
      StatusController,
      ResponseController,
      FilesController,
      ...(platform === 'express' ? [ExpressResponseController] : []),
    ],
  }),
  rows: [
    plain('json/object', {
      when: '1970-01-01T00:00:00.000Z',
      money: '1.5 EUR',
      nothing: null,
      list: ['1970-01-01T00:00:00.001Z'],
    }),
    plain('json/list', [1, null, { a: 'b' }]),
    plain('json/special', { nan: null, map: {}, big: Number.MAX_SAFE_INTEGER, 'a.b': { __proto: 1 } }),
    plain('json/empty-object', {}),
    plain('json/empty-list', []),
    plain('json/promise', { late: true }),
    plain('json/observable', { observed: true }),
    plain('json/observable-of-many', { n: 2 }),
    {
      what: 'what JSON can say',
      tool: 'json__number',
      args: { kind: 'small' },
      http: 'GET /json/number/small',
      status: 200,
      view: content({ n: 1 }),
    },
    {
      what: 'what JSON cannot say',
      tool: 'json__number',
      args: { kind: 'big' },
      http: 'GET /json/number/big',
      status: 500,
      runs: 1,
      view: refused('internal_server_error', 'Internal server error'),
      differs: hostHasToRepair(),
    },
    {
      what: 'every letter, in and out',
      tool: 'json__unicode',
      args: { text: UNICODE, q: UNICODE },
      http: `GET /json/unicode/${encodeURIComponent(UNICODE)}?q=${encodeURIComponent(UNICODE)}`,
      status: 200,
      view: content({ text: UNICODE, q: UNICODE, all: UNICODE }),
    },
    plain('scalar/text', UNICODE.replace('\u0000', '')),
    { ...plain('scalar/number', '42'), on: 'express' },
    { ...plain('scalar/boolean', 'false'), on: 'express' },
    { ...plain('scalar/number', 42), on: 'fastify' },
    { ...plain('scalar/boolean', false), on: 'fastify' },
    { ...plain('scalar/null', {}), on: 'express' },
    { ...plain('scalar/null', null), on: 'fastify' },
    plain('scalar/nothing', {}),
    plain('scalar/empty-text', {}),
    { ...plain('scalar/buffer', { type: 'Buffer', data: [98, 121, 116, 101, 115] }), on: 'express' },
    {
      ...plain('scalar/buffer', { resource: { mediaType: 'application/octet-stream', bytes: 5 } }),
      on: 'fastify',
    },
    {
      what: 'a status of its own',
      tool: 'status__accepted',
      http: 'POST /status/accepted',
      status: 202,
      view: content({ queued: true }),
    },
    {
      what: '204',
      tool: 'status__remove',
      args: { id: '7' },
      http: 'DELETE /status/7',
      status: 204,
      view: content({}),
    },
    {
      what: 'DELETE with a body',
      tool: 'status__removeSome',
      args: { ids: ['7', '8'] },
      http: 'DELETE /status',
      body: { ids: ['7', '8'] },
      status: 200,
      view: content({ removed: ['7', '8'] }),
    },
    { what: '205', tool: 'status__reset', http: 'POST /status/reset', status: 205, view: content({}) },
    {
      what: 'PUT',
      tool: 'status__put',
      args: { n: 1 },
      http: 'PUT /status/put',
      body: { n: 1 },
      status: 200,
      view: content({ put: 1 }),
    },
    {
      what: 'PATCH',
      tool: 'status__patch',
      args: { n: 1 },
      http: 'PATCH /status/patch',
      body: { n: 1 },
      status: 200,
      view: content({ patched: 1 }),
    },
    { what: 'HEAD', tool: 'status__head', http: 'HEAD /status/head', status: 200, view: content({}) },
    {
      what: 'something that is found',
      tool: 'status__found',
      args: { id: '7' },
      http: 'GET /status/found/7',
      status: 200,
      view: content({ id: '7' }),
    },
    {
      what: '404 of the application',
      tool: 'status__found',
      args: { id: 'none' },
      http: 'GET /status/found/none',
      status: 404,
      runs: 1,
      view: refused('not_found', 'there is none'),
    },
    plain('status/header', { total: 7 }),
    plain('status/vendor', { vendor: true }),
    plain('status/csv', 'a,b\n1,2\n'),
    {
      ...plain('status/moved', {}, 303),
      differs: {
        because: 'another address is another operation, which the palette may not hold',
        view: thrown('operation_redirected', 303),
      },
    },
    plain('response/send', { sent: true }, 202),
    plain('response/send-later', { sent: 'later' }),
    plain('response/passthrough', { passed: 'through' }, 202),
    {
      what: 'a refusal by hand',
      tool: 'response__refuse',
      http: 'GET /response/refuse',
      status: 409,
      runs: 1,
      view: refused('EDITED', 'by somebody else'),
    },
    {
      what: 'no refusal by hand',
      tool: 'response__refuse',
      args: { well: 'yes' },
      http: 'GET /response/refuse?well=yes',
      status: 200,
      view: content({ well: 'yes' }),
    },
    plain('response/raw', { raw: true }),
    plain('response/chunked', 'Grüße'),
    ...['chunked', 'Chunked'].map((how) => ({
      what: `a body that the handler says is ${how}, as proxies do`,
      tool: 'response__saidChunked',
      args: { how },
      http: `GET /response/said-chunked/${how}`,
      status: 200,
      view: content({ chunked: true }),
    })),
    plain('response/early', 'after a hint'),
    { ...plain('response/file', FILE_TEXT), on: 'express' },
    plain('files/bytes', { resource: { mediaType: 'application/pdf', bytes: 2_000 } }),
    plain('files/json', { from: 'a stream' }),
    plain('files/text', 'one, two'),
    plain('files/untyped', { resource: { mediaType: 'application/octet-stream', bytes: 6 } }),
    {
      what: 'a stream that fails before its first byte',
      on: 'express',
      ...failing,
      status: 400,
      view: refused('bad_request', 'Bad Request'),
    },
    {
      what: 'a stream that fails before its first byte',
      on: 'fastify',
      ...failing,
      status: 500,
      view: refused('internal_server_error', 'Internal server error'),
      differs: hostHasToRepair(),
    },
    {
      what: 'a stream that does not',
      tool: 'files__broken',
      args: { how: 'well' },
      http: 'GET /files/broken/well',
      status: 200,
      view: content('well'),
    },
  ],
});

const body = { text: 'x'.repeat(BYTES_300_KB) };
const largeIn = { tool: 'sizes__in', args: body, http: 'POST /sizes/in', body };
const smallIn = {
  what: 'a small body',
  tool: 'sizes__in',
  args: { text: 'x' },
  http: 'POST /sizes/in',
  body: { text: 'x' },
  status: 201,
  view: content({ length: 1 }),
};

function takeOneMegabyte(app: INestApplication, platform: Platform): void {
  if (platform === 'express') (app as NestExpressApplication).useBodyParser('json', { limit: '1mb' });
}

fidelityTable('sizes', {
  application: () => ({ controllers: [SizesController] }),
  configure: takeOneMegabyte,
  dispatch: { maxResultBytes: 1_000_000 },
  rows: [
    { what: '300 kB in', ...largeIn, status: 201, view: content({ length: BYTES_300_KB }) },
    { ...plain('sizes/out', { text: 'ü'.repeat(BYTES_300_KB / 2) }), what: '300 kB out' },
    { ...plain('sizes/stream', 'x'.repeat(BYTES_300_KB)), what: '300 kB out, as a stream' },
  ],
});

const tooLarge = {
  because: 'an answer over the limit of the module would fill the context of a model',
  view: refused(
    'tool_result_too_large',
    'The result is larger than 262144 bytes. Narrow the request: filter, page or select less.',
  ),
};

fidelityTable('limits', {
  application: () => ({ controllers: [SizesController] }),
  rows: [
    smallIn,
    {
      what: '300 kB are more than the body parser takes',
      on: 'express',
      ...largeIn,
      status: 413,
      view: refused('payload_too_large', 'request entity too large'),
    },
    { what: '300 kB are not', on: 'fastify', ...largeIn, status: 201, view: content({ length: BYTES_300_KB }) },
    { ...plain('sizes/out', { text: 'ü'.repeat(BYTES_300_KB / 2) }), what: '300 kB out', differs: tooLarge },
    { ...plain('sizes/stream', 'x'.repeat(BYTES_300_KB)), what: '300 kB as a stream', differs: tooLarge },
  ],
});
