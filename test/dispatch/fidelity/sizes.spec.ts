import { Readable } from 'node:stream';
import { Body, Controller, Get, Post, StreamableFile, type INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Operation } from 'nestjs-palette';
import type { Platform } from '../../support/application.js';
import { content, fidelityTable, handled, refused } from './support/fidelity-table.js';
import { plainRow } from './support/plain-row.js';

const BYTES_300_KB = 300_000;

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
    { ...plainRow('sizes/out', { text: 'ü'.repeat(BYTES_300_KB / 2) }), what: '300 kB out' },
    { ...plainRow('sizes/stream', 'x'.repeat(BYTES_300_KB)), what: '300 kB out, as a stream' },
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
    { ...plainRow('sizes/out', { text: 'ü'.repeat(BYTES_300_KB / 2) }), what: '300 kB out', differs: tooLarge },
    { ...plainRow('sizes/stream', 'x'.repeat(BYTES_300_KB)), what: '300 kB as a stream', differs: tooLarge },
  ],
});
