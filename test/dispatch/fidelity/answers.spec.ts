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
} from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import { from, of, type Observable } from 'rxjs';
import { content, fidelityTable, handled, hostHasToRepair, refused, thrown } from './support/fidelity-table.js';
import { plainRow } from './support/plain-row.js';

/** What responses of both platforms can do. */
interface AnyResponse {
  status(status: number): AnyResponse;
  header(name: string, value: string): AnyResponse;
  send(body?: unknown): void;
}

const UNICODE = 'Grüße, 漢字, 🎬, \u202e, \u0000, "quoted" \\ /';

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

fidelityTable('answers', {
  application: () => ({ controllers: [JsonController, ScalarController, StatusController] }),
  rows: [
    plainRow('json/object', {
      when: '1970-01-01T00:00:00.000Z',
      money: '1.5 EUR',
      nothing: null,
      list: ['1970-01-01T00:00:00.001Z'],
    }),
    plainRow('json/list', [1, null, { a: 'b' }]),
    plainRow('json/special', { nan: null, map: {}, big: Number.MAX_SAFE_INTEGER, 'a.b': { __proto: 1 } }),
    plainRow('json/empty-object', {}),
    plainRow('json/empty-list', []),
    plainRow('json/promise', { late: true }),
    plainRow('json/observable', { observed: true }),
    plainRow('json/observable-of-many', { n: 2 }),
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
    plainRow('scalar/text', UNICODE.replace('\u0000', '')),
    { ...plainRow('scalar/number', '42'), on: 'express' },
    { ...plainRow('scalar/boolean', 'false'), on: 'express' },
    { ...plainRow('scalar/number', 42), on: 'fastify' },
    { ...plainRow('scalar/boolean', false), on: 'fastify' },
    { ...plainRow('scalar/null', {}), on: 'express' },
    { ...plainRow('scalar/null', null), on: 'fastify' },
    plainRow('scalar/nothing', {}),
    plainRow('scalar/empty-text', {}),
    { ...plainRow('scalar/buffer', { type: 'Buffer', data: [98, 121, 116, 101, 115] }), on: 'express' },
    {
      ...plainRow('scalar/buffer', { resource: { mediaType: 'application/octet-stream', bytes: 5 } }),
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
    plainRow('status/header', { total: 7 }),
    plainRow('status/vendor', { vendor: true }),
    plainRow('status/csv', 'a,b\n1,2\n'),
    {
      ...plainRow('status/moved', {}, 303),
      differs: {
        because: 'another address is another operation, which the palette may not hold',
        view: thrown('operation_redirected', 303),
      },
    },
  ],
});
