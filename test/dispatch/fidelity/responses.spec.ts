import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import { content, fidelityTable, handled, hostHasToRepair, refused } from './support/fidelity-table.js';
import { plainRow } from './support/plain-row.js';

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

const FILE = join(import.meta.dirname, 'responses.spec.ts');
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

const failing = { tool: 'files__broken', args: { how: 'ill' }, http: 'GET /files/broken/ill', runs: 1 };

fidelityTable('answers by hand and from streams', {
  application: (platform) => ({
    controllers: [ResponseController, FilesController, ...(platform === 'express' ? [ExpressResponseController] : [])],
  }),
  rows: [
    plainRow('response/send', { sent: true }, 202),
    plainRow('response/send-later', { sent: 'later' }),
    plainRow('response/passthrough', { passed: 'through' }, 202),
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
    plainRow('response/raw', { raw: true }),
    plainRow('response/chunked', 'Grüße'),
    ...['chunked', 'Chunked'].map((how) => ({
      what: `a body that the handler says is ${how}, as proxies do`,
      tool: 'response__saidChunked',
      args: { how },
      http: `GET /response/said-chunked/${how}`,
      status: 200,
      view: content({ chunked: true }),
    })),
    plainRow('response/early', 'after a hint'),
    { ...plainRow('response/file', FILE_TEXT), on: 'express' },
    plainRow('files/bytes', { resource: { mediaType: 'application/pdf', bytes: 2_000 } }),
    plainRow('files/json', { from: 'a stream' }),
    plainRow('files/text', 'one, two'),
    plainRow('files/untyped', { resource: { mediaType: 'application/octet-stream', bytes: 6 } }),
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
