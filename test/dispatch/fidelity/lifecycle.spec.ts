import { request as nodeRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { Body, Controller, Get, Head, NotFoundException, Param, Post, Res, StreamableFile } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import onFinished from 'on-finished';
import { pinoHttp } from 'pino-http';
import { Operation } from 'nestjs-palette';
import { closeApplications, listen, PLATFORMS } from '../../support/application.js';
import { bootDispatching, type Dispatching } from '../../support/dispatching.js';
import { sendRequest } from '../../support/http-client.js';

interface Life {
  /** What was emitted, in order, up to the last `close`. */
  readonly events: readonly string[];
  readonly atClose: Readonly<Record<string, boolean>>;
}

let lives: Promise<Life>[] = [];
let onFinishedCalls: (string | undefined)[] = [];
let logged: { readonly msg: string; readonly res?: { readonly statusCode: number } }[] = [];
let started: () => void = () => undefined;

function recordLife(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const events: string[] = [];
  for (const name of ['end', 'aborted', 'close']) request.once(name, () => events.push(`request ${name}`));
  for (const name of ['finish', 'close']) response.once(name, () => events.push(`response ${name}`));
  const closed = Promise.all([request, response].map((each) => new Promise((resolve) => each.once('close', resolve))));
  lives.push(
    closed.then(() => ({
      events,
      atClose: {
        requestAborted: request.aborted,
        requestDestroyed: request.destroyed,
        requestComplete: request.complete,
        responseEnded: response.writableEnded,
        responseFinished: response.writableFinished,
        responseHeadersSent: response.headersSent,
      },
    })),
  );
  onFinished(response, (error) => onFinishedCalls.push(error?.message));
  next();
}

function endUnread(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (!request.url?.startsWith('/lives/unread')) return next();
  response.statusCode = 403;
  response.end('no');
}

interface AnyResponse {
  readonly raw?: ServerResponse;
}

@Controller('lives')
class LivesController {
  @Operation() @Get('read/:id') read(@Param('id') id: string): unknown {
    if (id === 'none') throw new NotFoundException();
    return { id };
  }
  @Operation() @Post('write') write(@Body('text') text: string): unknown {
    return { length: text.length };
  }
  @Operation() @Post('unread') unread(@Body('text') text: string): unknown {
    return { text };
  }
  @Operation() @Head('head') head(): void {}
  @Operation() @Get('stream') stream(): StreamableFile {
    return new StreamableFile(Readable.from([Buffer.from('one'), Buffer.from('two')]), { type: 'text/plain' });
  }
  @Operation() @Get('slow') async slow(): Promise<string> {
    started();
    await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
    return 'late';
  }
  @Operation() @Get('half') half(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as ServerResponse);
    raw.writeHead(200, { 'content-type': 'text/plain' });
    raw.write('half of it', () => started());
  }
  @Operation() @Get('cut') cut(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as ServerResponse);
    raw.writeHead(200, { 'content-type': 'text/plain' });
    raw.write('half of it', () => raw.destroy());
  }
}

describe.each(PLATFORMS)('the life of a request on %s', (platform) => {
  let dispatching: Dispatching;
  let target: { hostname: string; port: string };

  beforeEach(() => {
    lives = [];
    onFinishedCalls = [];
    logged = [];
  });
  beforeAll(async () => {
    const lines = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged.push(JSON.parse(chunk.toString()) as (typeof logged)[number]);
        done();
      },
    });
    dispatching = await bootDispatching(
      platform,
      { controllers: [LivesController] },
      { configure: (app) => [recordLife, pinoHttp({}, lines), endUnread].forEach((each) => app.use(each)) },
    );
    target = new URL(await listen(dispatching.app));
  });
  afterAll(closeApplications);

  async function lifeOf(act: () => Promise<unknown>): Promise<Life> {
    lives = [];
    await act().catch(() => undefined);
    expect(lives).toHaveLength(1);
    const life = await (lives[0] as Promise<Life>);
    await new Promise((resolve) => setImmediate(resolve));
    return life;
  }

  const overHttp = (method: string, path: string, body?: unknown) => () => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const framing = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const { hostname, port } = target;
    return sendRequest(
      { hostname, port, agent: false },
      { method, path, headers: { host: 'localhost', ...framing }, body: bytes },
    );
  };

  it.each([
    ['an answer', 'lives__read', { id: '7' }, 'GET', '/lives/read/7', undefined, 200],
    ['a refusal', 'lives__read', { id: 'none' }, 'GET', '/lives/read/none', undefined, 404],
    ['a body', 'lives__write', { text: 'x' }, 'POST', '/lives/write', { text: 'x' }, 201],
    ['a body that nobody reads', 'lives__unread', { text: 'x' }, 'POST', '/lives/unread', { text: 'x' }, 403],
    ['HEAD', 'lives__head', {}, 'HEAD', '/lives/head', undefined, 200],
    ['a stream', 'lives__stream', {}, 'GET', '/lives/stream', undefined, 200],
  ])('ends as over HTTP: %s', async (_what, tool, args, method, path, body, status) => {
    const http = await lifeOf(overHttp(method, path, body));
    expect([onFinishedCalls, logged.map(({ res }) => res?.statusCode)]).toEqual([[undefined], [status]]);
    const call = await lifeOf(() => dispatching.call(tool, args));
    expect(call).toEqual(http);
    expect(onFinishedCalls).toEqual([undefined, undefined]);
    expect(logged.map(({ msg, res }) => [msg, res?.statusCode])).toEqual(Array(2).fill(['request completed', status]));
  });

  it.each([
    ['before an answer', 'lives__slow', '/lives/slow'],
    ['in the middle of an answer', 'lives__half', '/lives/half'],
  ])('ends as over HTTP when its caller goes away %s', async (_when, tool, path) => {
    const isStarted = () => new Promise<void>((resolve) => (started = resolve));
    const { hostname, port } = target;
    const http = await lifeOf(async () => {
      const begun = isStarted();
      const outgoing = nodeRequest({ hostname, port, path, agent: false }).on('error', () => undefined);
      outgoing.end();
      await begun;
      outgoing.destroy();
    });
    const call = await lifeOf(async () => {
      const controller = new AbortController();
      const begun = isStarted();
      const pending = dispatching.call(tool, {}, { signal: controller.signal });
      await begun;
      controller.abort();
      await expect(pending).rejects.toMatchObject({ code: 'dispatch_cancelled' });
    });
    expect(call).toEqual(http);
    expect(call.events).toEqual(expect.arrayContaining(['request close', 'response close']));
    expect(call.events).not.toContain('response finish');
    expect(onFinishedCalls).toHaveLength(2);
    expect(logged.map(({ msg }) => msg)).toEqual(['request aborted', 'request aborted']);
  });

  it('ends as over HTTP when the handler hangs up in the middle of an answer', async () => {
    const http = await lifeOf(overHttp('GET', '/lives/cut'));
    const call = await lifeOf(async () => {
      await expect(dispatching.call('lives__cut')).rejects.toMatchObject({ code: 'operation_failed' });
    });
    expect(call).toEqual(http);
    expect(onFinishedCalls).toHaveLength(2);
  });
});
