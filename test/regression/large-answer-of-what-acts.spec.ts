import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { BadRequestException, Controller, Get, Header, Post, Put, Res, StreamableFile } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApprovalsModule,
  ApprovalsService,
  InMemoryAgentStore,
  Operation,
  OperationDispatcher,
  publicApprovals,
} from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { catchError } from '../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../support/dispatching.js';
import { connectMessageService } from '../support/message-service.js';

/**
 * A call that acted and has much to tell is over: who is told that it failed, or to ask for less, does it again. Only what reads
 * is asked for less.
 */
const LARGE = 'x'.repeat(400_000);
let ran: string[] = [];

function done<T>(what: string, answer: T): T {
  ran.push(what);
  return answer;
}

@Controller('rows')
class RowsController {
  @Operation() @Post('create') create(): unknown {
    return done('create', { rows: LARGE });
  }
  @Operation() @Put('replace') replace(): unknown {
    return done('replace', { rows: LARGE });
  }
  @Operation({ kind: 'command' }) @Get('send') send(): unknown {
    return done('send', { rows: LARGE });
  }
  @Operation() @Post('pack') @Header('content-encoding', 'gzip') pack(): StreamableFile {
    return done('pack', new StreamableFile(gzipSync(LARGE), { type: 'text/plain' }));
  }
  @Operation() @Post('export') export(): StreamableFile {
    const parts = async function* (): AsyncGenerator<Buffer> {
      for (let part = 0; part < 40; part++) yield await Promise.resolve(Buffer.alloc(10_000, 'x'));
      ran.push('export');
    };
    return new StreamableFile(Readable.from(parts()), { type: 'text/plain' });
  }
  @Operation({ approval: 'writes rows' }) @Post('gated') gated(): unknown {
    return done('gated', { rows: LARGE });
  }

  @Operation() @Get('list') list(): unknown {
    return done('list', { rows: LARGE });
  }
  @Operation({ kind: 'query' }) @Post('search') search(): unknown {
    return done('search', { rows: LARGE });
  }

  @Operation() @Post('refuse') refuse(): never {
    throw new BadRequestException({ message: 'unfit', rows: LARGE });
  }
  @Operation() @Post('fail') fail(@Res() response: ServerResponse & { raw?: ServerResponse }): void {
    const raw = response.raw ?? response;
    raw.writeHead(500, { 'content-type': 'text/plain' }).end(LARGE);
  }
  @Operation() @Post('break') break(@Res() response: ServerResponse & { raw?: ServerResponse }): void {
    const parts = async function* (): AsyncGenerator<string> {
      yield LARGE;
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('half of it was not done');
    };
    pipeline(Readable.from(parts()), response.raw ?? response, () => undefined);
  }
  @Operation() @Post('small') small(): unknown {
    return done('small', { rows: 1 });
  }

  @Operation({ name: 'messages.create' }) @MessagePattern('create') take(): unknown {
    return done('take', { rows: LARGE });
  }
  @Operation({ name: 'messages.list', kind: 'query' }) @MessagePattern('list') tell(): unknown {
    return done('tell', { rows: LARGE });
  }
}

const OMITTED = {
  toolCallId: 'call-1',
  isError: false,
  content: {
    code: 'tool_result_omitted',
    message: 'The call has run. Its result is larger than 262144 bytes and was left out. Do not repeat the call.',
  },
};

describe.each(PLATFORMS)('an answer that is too large on %s', (platform) => {
  let dispatching: Dispatching;
  const store = new InMemoryAgentStore();
  const principal = () => ({ subject: 'ada' });

  beforeAll(async () => {
    const approvals = { store, principal, authorizer: publicApprovals(), mayRequesterDecide: true };
    dispatching = await bootDispatching(
      platform,
      { imports: [ApprovalsModule.forRoot(approvals)], controllers: [RowsController] },
      {
        configure: connectMessageService,
      },
    );
  });
  afterAll(closeApplications);
  beforeEach(() => {
    ran = [];
  });

  it.each([
    ['rows__create', 'create'],
    ['rows__replace', 'replace'],
    ['rows__send', 'send'],
    ['rows__pack', 'pack'],
    ['rows__export', 'export'],
    ['messages__create', 'take'],
  ])('of %s says that it has run', async (tool, handler) => {
    expect(await dispatching.call(tool)).toEqual(OMITTED);
    expect(ran).toEqual([handler]);
  });

  it.each(['rows__list', 'rows__search', 'messages__list'])('of %s says to ask for less', async (tool) => {
    expect(await dispatching.call(tool)).toMatchObject({ isError: true, content: { code: 'tool_result_too_large' } });
  });

  it('is a success in the ledger, and told the same when asked again', async () => {
    const { app, palette } = dispatching;
    const service = app.get(ApprovalsService, { strict: false });
    const call = { id: 'call-1', name: 'rows__gated', arguments: {} };
    const proposed = await service.propose(call, { palette, caller: { headers: {} }, principal: principal() });
    if (proposed.kind !== 'waiting') throw new Error(`it is ${proposed.kind}`);
    const { approvalId, argumentsHash, conversationId } = proposed.approval;
    await service.decide(principal(), approvalId, { verdict: 'approve', argumentsHash });
    const run = () => app.get(OperationDispatcher).dispatch(call, { palette, caller: { headers: {} }, approvalId });
    expect(await run()).toEqual(OMITTED);
    expect(await store.calls(conversationId)).toMatchObject([{ state: 'succeeded' }]);
    expect(await run()).toEqual(OMITTED);
    expect(ran).toEqual(['gated']);
  });

  it('is still a refusal where the application refused', async () => {
    expect(await dispatching.call('rows__refuse')).toEqual({
      toolCallId: 'call-1',
      isError: true,
      content: { code: 'bad_request', message: 'Bad Request' },
    });
  });

  it.each(['rows__fail', 'rows__break'])('is still a fault where the application failed: %s', async (tool) => {
    expect(await catchError(() => dispatching.call(tool))).toMatchObject({ code: 'operation_failed' });
  });

  it('is none where it fits', async () => {
    expect(await dispatching.call('rows__small')).toMatchObject({ isError: false, content: { rows: 1 } });
  });
});
