import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DispatchError, Operation } from 'nestjs-palette';
import { closeApplications, listen, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { watchProcess, type ProcessWatch } from '../support/process-watch.js';

/** A server listens to the errors of its sockets: an answer that is broken off costs one connection, never the process. */
type AnyRequest = IncomingMessage & { raw?: IncomingMessage };
type AnyResponse = ServerResponse & { raw?: ServerResponse };

async function* failing(): AsyncGenerator<string> {
  yield 'a part of it';
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('the source failed');
}

@Controller('broken')
class BrokenController {
  @Operation() @Get('piped') piped(@Res() response: AnyResponse): void {
    pipeline(Readable.from(failing()), response.raw ?? response, () => undefined);
  }
  @Operation() @Get('destroyed') destroyed(@Res() response: AnyResponse): void {
    (response.raw ?? response).destroy(new Error('broken off'));
  }
  @Operation() @Get('begun') begun(@Res() response: AnyResponse): void {
    const raw = response.raw ?? response;
    raw.write('a part of it');
    raw.destroy(new Error('broken off'));
  }
  @Operation() @Get('socket') socket(@Req() request: AnyRequest, @Res() _response: AnyResponse): void {
    (request.raw ?? request).socket.destroy(new Error('broken off'));
  }
  @Operation() @Get('request') request(@Req() request: AnyRequest, @Res() _response: AnyResponse): void {
    (request.raw ?? request).destroy(new Error('broken off'));
  }
  @Operation() @Get('file') file(): StreamableFile {
    return new StreamableFile(Readable.from(failing()));
  }
  @Operation() @Get('whole') whole(@Res() response: AnyResponse): void {
    pipeline(Readable.from(['all ', 'of it']), response.raw ?? response, () => undefined);
  }
}

describe.each(PLATFORMS)('an answer that is broken off with an error, on %s', (platform) => {
  let dispatching: Dispatching;
  let url: string;
  let watch: ProcessWatch;

  beforeAll(async () => {
    dispatching = await bootDispatching(
      platform,
      { controllers: [BrokenController] },
      { dispatch: { timeoutMs: 2_000 } },
    );
    url = await listen(dispatching.app);
  });
  afterAll(closeApplications);
  beforeEach(() => {
    watch = watchProcess();
  });
  afterEach(() => watch.stop());

  it.each(['piped', 'destroyed', 'begun', 'socket', 'request'])(
    'ends one call and nothing else where it is %s',
    async (how) => {
      await catchError(async () => (await fetch(`${url}/broken/${how}`)).text());
      const error = await catchError(() => dispatching.call(`broken__${how}`));
      expect(DispatchError.isInstance(error) && error.code).toBe('operation_failed');
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(watch.exceptions).toEqual([]);
      expect(watch.rejections).toEqual([]);
      expect(await dispatching.call('broken__whole')).toMatchObject({ isError: false, content: 'all of it' });
    },
  );

  it('ends one call and nothing else where it is a file of Nest', async () => {
    expect(await catchError(() => dispatching.call('broken__file'))).toMatchObject({ code: 'operation_failed' });
    expect(watch.exceptions).toEqual([]);
  });
});
