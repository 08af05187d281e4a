import { getEventListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Body, ConflictException, Controller, Get, Param, Post, Res, StreamableFile } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Caller, Operation, type CallerContext } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../../support/application.js';
import { bootDispatching, type Dispatching } from '../../support/dispatching.js';
import { watchProcess, type ProcessWatch } from '../../support/process-watch.js';

const CALLS = 200;
let running = 0;

interface AnyResponse {
  readonly raw?: ServerResponse;
}

@Controller('leaks')
class LeaksController {
  @Operation() @Get('read/:id') read(@Param('id') id: string): unknown {
    if (id === 'none') throw new ConflictException();
    return { id };
  }
  @Operation() @Post('write') write(@Body('text') text: string): unknown {
    return { length: text.length };
  }
  @Operation() @Get('stream') stream(): StreamableFile {
    return new StreamableFile(Readable.from([Buffer.from('one'), Buffer.from('two')]), { type: 'text/plain' });
  }
  @Operation() @Get('until-told') async untilTold(@Caller() caller: CallerContext): Promise<string> {
    running++;
    await new Promise((resolve) => caller.signal?.addEventListener('abort', resolve, { once: true }));
    running--;
    return 'late';
  }
  @Operation() @Get('late-error') async lateError(@Caller() caller: CallerContext): Promise<string> {
    await new Promise((resolve) => caller.signal?.addEventListener('abort', resolve, { once: true }));
    throw new Error('after everybody has gone');
  }
  @Operation() @Get('endless') endless(): StreamableFile {
    running++;
    const stream = new Readable({
      read() {
        setTimeout(() => this.push('more'), 1);
      },
    });
    stream.once('close', () => running--);
    return new StreamableFile(stream, { type: 'text/plain' });
  }
  @Operation() @Get('broken-stream') brokenStream(): StreamableFile {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('one');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('the disk is gone');
    };
    return new StreamableFile(Readable.from(chunks()), { type: 'text/plain' });
  }
  @Operation() @Get('writes-on') writesOn(@Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as ServerResponse);
    raw.on('error', () => undefined);
    raw.end('the answer');
    setImmediate(() => raw.write('and more'));
  }
  @Operation() @Get('flood') flood(): StreamableFile {
    running++;
    const stream = new Readable({
      read() {
        this.push(Buffer.alloc(16_384));
      },
    });
    stream.once('close', () => running--);
    return new StreamableFile(stream);
  }
  @Operation() @Get('short/:bytes') short(@Param('bytes') bytes: string, @Res() response: AnyResponse): void {
    const raw = response.raw ?? (response as ServerResponse);
    raw.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
    raw.end('{"a":1}');
  }
  @Operation() @Get('large') large(): string {
    return 'x'.repeat(300_000);
  }
}

describe.each(PLATFORMS)('what %s keeps of its calls', (platform) => {
  let dispatching: Dispatching;
  let watch: ProcessWatch;

  beforeAll(async () => {
    dispatching = await bootDispatching(platform, { controllers: [LeaksController] });
  });
  beforeEach(() => {
    running = 0;
    watch = watchProcess();
  });
  afterEach(() => watch.stop());
  afterAll(closeApplications);

  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  const server = () => dispatching.app.getHttpServer() as Server;
  const listenerCounts = () =>
    server()
      .eventNames()
      .map((name) => [name, server().listenerCount(name)]);

  async function complaints(): Promise<unknown> {
    await settle();
    return { warnings: watch.warnings.filter((name) => name !== 'ExperimentalWarning'), rejections: watch.rejections };
  }

  it('is no listener and no timer, after many calls of one caller', async () => {
    const { signal } = new AbortController();
    const before = listenerCounts();
    await dispatching.call('leaks__read', { id: '0' });
    await settle();
    const resources = process.getActiveResourcesInfo().length;
    for (let call = 0; call < CALLS; call += 4) {
      await Promise.all([
        dispatching.call('leaks__read', { id: String(call) }, { signal }),
        dispatching.call('leaks__read', { id: 'none' }, { signal }),
        dispatching.call('leaks__write', { text: 'x' }, { signal }),
        dispatching.call('leaks__stream', {}, { signal }),
      ]);
    }
    await settle();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(listenerCounts()).toEqual(before);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(resources);
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
  });

  it('is no listener while many calls of one caller run side by side', async () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 50 }, () =>
      dispatching.call('leaks__untilTold', {}, { signal: controller.signal }),
    );
    const outcomes = Promise.allSettled(calls);
    while (running < 50) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
    expect(running).toBe(0);
  });

  it.each(['untilTold', 'lateError', 'endless'])('is nothing that runs on after the deadline: %s', async (method) => {
    const call = dispatching.call(`leaks__${method}`, {}, { deadline: Date.now() + 50 });
    await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
    expect(running).toBe(0);
  });

  it('is no rejection of a stream that breaks in the middle of an answer', async () => {
    await expect(dispatching.call('leaks__brokenStream')).rejects.toMatchObject({ code: 'operation_failed' });
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
  });

  it('is no rejection of a handler that writes on after its answer', async () => {
    expect(await dispatching.call('leaks__writesOn')).toMatchObject({ content: 'the answer' });
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
  });

  it('is nothing of an answer that was over the limit', async () => {
    for (let call = 0; call < 20; call++) {
      expect(await dispatching.call('leaks__large')).toMatchObject({ content: { code: 'tool_result_too_large' } });
    }
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
  });

  it('is nothing of an answer without end', async () => {
    expect(await dispatching.call('leaks__flood')).toMatchObject({ content: { code: 'tool_result_too_large' } });
    expect(await complaints()).toEqual({ warnings: [], rejections: [] });
    expect(running).toBe(0);
  });

  it('is no part of an answer that is shorter than it says', async () => {
    await expect(dispatching.call('leaks__short', { bytes: '20' })).rejects.toMatchObject({ code: 'operation_failed' });
    expect(await dispatching.call('leaks__short', { bytes: '7' })).toMatchObject({ content: { a: 1 } });
  });

  it('would be seen', async () => {
    process.emitWarning('of this test', 'MaxListenersExceededWarning');
    void Promise.reject(new Error('of this test'));
    expect(await complaints()).toEqual({
      warnings: ['MaxListenersExceededWarning'],
      rejections: [new Error('of this test')],
    });
  });
});
