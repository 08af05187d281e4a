import {
  Controller,
  Get,
  Injectable,
  Param,
  Query,
  Req,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import { Operation } from 'nestjs-palette';
import { closeApplications, listen, PLATFORMS } from '../../support/application.js';
import { bootDispatching } from '../../support/dispatching.js';
import { sendRequest } from '../../support/http-client.js';
import { content, fidelityTable, handled, refused } from './support/fidelity-table.js';

class LooseDto {
  @IsInt() limit!: number;
}

interface SeenRequest {
  seen?: string[];
  readonly query: Record<string, unknown>;
}

@Injectable()
class SeeingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const incoming = context.switchToHttp().getRequest<SeenRequest>();
    incoming.seen = [`guard: ${typeof incoming.query['limit']}`];
    return true;
  }
}

class SeeingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const incoming = context.switchToHttp().getRequest<SeenRequest>();
    incoming.seen?.push(`interceptor: ${typeof incoming.query['limit']}`);
    return next.handle();
  }
}

@Controller('values')
class ValuesController {
  @Operation() @Get('untyped/:id') untyped(@Param('id') id: number): unknown {
    return handled({ id });
  }
  @Operation() @Get('list') list(@Query('ids') ids: string[]): unknown {
    return handled({ ids });
  }
  @Operation() @Get('seen') @UseGuards(SeeingGuard) @UseInterceptors(SeeingInterceptor) seen(
    @Query() query: LooseDto,
    @Req() incoming: SeenRequest,
  ): unknown {
    return handled({ seen: [...(incoming.seen ?? []), `handler: ${typeof query.limit}`] });
  }
  @Operation() @Get('long/:text') long(@Param('text') text: string, @Query('q') q?: string): unknown {
    return handled({ text: text.length, q: q?.length });
  }
}

const LONG = 'x'.repeat(150);

fidelityTable('values without pipes', {
  application: () => ({ controllers: [ValuesController] }),
  rows: [
    {
      what: 'of a path are text, whatever their type says',
      tool: 'values__untyped',
      args: { id: 7 },
      http: 'GET /values/untyped/7',
      status: 200,
      view: content({ id: '7' }),
    },
    {
      what: 'of a list are the list',
      tool: 'values__list',
      args: { ids: ['a', 'b,c'] },
      http: 'GET /values/list?ids=a&ids=b%2Cc',
      status: 200,
      view: content({ ids: ['a', 'b,c'] }),
    },
    {
      what: 'of a list of one are text over HTTP',
      tool: 'values__list',
      args: { ids: ['a'] },
      http: 'GET /values/list?ids=a',
      status: 200,
      view: content({ ids: 'a' }),
      differs: { because: 'a list of one stays a list: its handler asked for one', view: content({ ids: ['a'] }) },
    },
    {
      what: 'of a query are text to guards and interceptors, as over HTTP',
      tool: 'values__seen',
      args: { limit: 3 },
      http: 'GET /values/seen?limit=3',
      status: 200,
      view: content({ seen: ['guard: string', 'interceptor: string', 'handler: string'] }),
      differs: {
        because: 'a query string knows text only; a JSON number stays one, and nobody has to guess it back',
        view: content({ seen: ['guard: string', 'interceptor: string', 'handler: number'] }),
      },
    },
    {
      what: 'may be long',
      tool: 'values__long',
      args: { text: 'short', q: 'x'.repeat(5_000) },
      http: `GET /values/long/short?q=${'x'.repeat(5_000)}`,
      status: 200,
      view: content({ text: 5, q: 5_000 }),
    },
    {
      what: 'of a path may be long',
      on: 'express',
      tool: 'values__long',
      args: { text: LONG },
      http: `GET /values/long/${LONG}`,
      status: 200,
      view: content({ text: 150 }),
    },
    {
      what: 'of a path are too long for the router',
      on: 'fastify',
      tool: 'values__long',
      args: { text: LONG },
      http: `GET /values/long/${LONG}`,
      status: 414,
      view: refused('FST_ERR_MAX_PARAM_LENGTH', expect.stringContaining('max param length') as unknown as string),
    },
  ],
});

describe.each(PLATFORMS)('a value that is too long for a head on %s', (platform) => {
  afterEach(closeApplications);

  // What guards the reading of bytes off a connection has nothing to read in a tool call: `maxArgumentBytes` is its limit.
  it('is refused by the server over HTTP, and by its own limit in a tool call', async () => {
    const dispatch = { maxArgumentBytes: 30_000 };
    const { app, call } = await bootDispatching(platform, { controllers: [ValuesController] }, { dispatch });
    const { hostname, port } = new URL(await listen(app));
    const ask = async (length: number): Promise<unknown[]> => {
      const q = 'x'.repeat(length);
      const request = { method: 'GET', path: `/values/long/short?q=${q}`, headers: { host: 'localhost' } };
      const { status } = await sendRequest({ hostname, port, agent: false }, request);
      return [status, (await call('values__long', { text: 'short', q })).content];
    };
    expect(await ask(5_000)).toEqual([200, { text: 5, q: 5_000 }]);
    expect(await ask(20_000)).toEqual([431, { text: 5, q: 20_000 }]);
    expect(await ask(40_000)).toMatchObject([431, { code: 'tool_arguments_too_large' }]);
  });
});
