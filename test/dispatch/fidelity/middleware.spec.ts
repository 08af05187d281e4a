import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Param,
  Post,
  Body,
  Req,
  RequestMethod,
  type MiddlewareConsumer,
  type NestMiddleware,
  type NestModule,
} from '@nestjs/common';
import { Operation } from 'nestjs-palette';
import {
  content,
  fidelityTable,
  handled,
  hostHasToRepair,
  HOST_HAS_TO_SIGN_IN,
  mark,
  refused,
  thrown,
} from './support/fidelity-table.js';

type Next = (error?: unknown) => void;
interface Tenanted {
  tenant?: string;
  readonly raw?: Tenanted;
}

@Injectable()
class ClassMiddleware implements NestMiddleware {
  use(request: IncomingMessage & Tenanted, response: ServerResponse, next: Next): void {
    request.tenant = 'acme';
    act('class middleware', request, response, next);
  }
}

function functionalMiddleware(request: IncomingMessage, response: ServerResponse, next: Next): void {
  setImmediate(() => act('functional middleware', request, response, next));
}

function byMethod(_request: IncomingMessage, _response: ServerResponse, next: Next): void {
  mark('middleware of POST');
  next();
}

function globalMiddleware(request: IncomingMessage, response: ServerResponse, next: Next): void {
  act('global middleware', request, response, next);
}

/** Does what the caller asks of this place: `x-act: class middleware ends 403`. */
function act(place: string, request: IncomingMessage, response: ServerResponse, next: Next): void {
  mark(place);
  const asked = String(request.headers['x-act'] ?? '');
  if (!asked.startsWith(place)) return next();
  const [, how, status] = /(\w+) ?(\d*)$/.exec(asked) ?? [];
  if (how === 'throws') throw new ForbiddenException('thrown in a middleware');
  if (how === 'passes') return next(new ForbiddenException('passed by a middleware'));
  response.statusCode = Number(status);
  if (status === '302') response.setHeader('location', '/elsewhere');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ code: 'ended_early', message: 'by a middleware' }));
}

@Controller('ways')
class WaysController {
  @Operation() @Get(':id') read(@Param('id') id: string, @Req() request: Tenanted): unknown {
    return handled({ id, tenant: (request.raw ?? request).tenant });
  }
  @Operation({ name: 'ways.write' }) @Post(':id') write(@Param('id') id: string, @Body() body: { n: number }): unknown {
    return handled({ id, body });
  }
  @Operation({ name: 'ways.free' }) @Get('free/of/it') free(): string {
    return handled('free');
  }
}

@Module({ controllers: [WaysController] })
class WaysModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(ClassMiddleware, functionalMiddleware)
      .exclude({ path: 'ways/free/of/it', method: RequestMethod.GET })
      .forRoutes(WaysController);
    consumer.apply(byMethod).forRoutes({ path: 'ways/*rest', method: RequestMethod.POST });
  }
}

const read = { tool: 'ways__read', args: { id: '7' }, http: 'GET /ways/7' };
const asked = (what: string, status: number) => ({ headers: { 'x-act': what }, status });
const PLACES = ['global middleware', 'class middleware', 'functional middleware'];

fidelityTable('middleware', {
  application: () => ({ imports: [WaysModule] }),
  configure: (app) => app.use(globalMiddleware),
  dispatch: { forwardHeaders: ['x-act'] },
  rows: [
    {
      what: 'all lets the call pass, and leaves its marks on the request',
      ...read,
      status: 200,
      view: content({ id: '7', tenant: 'acme' }),
      steps: [...PLACES, 'handler'],
    },
    {
      what: 'of a verb runs for that verb',
      tool: 'ways__write',
      args: { id: '7', body: { n: 1 } },
      http: 'POST /ways/7',
      body: { n: 1 },
      status: 201,
      view: content({ id: '7', body: { n: 1 } }),
      steps: [...PLACES, 'middleware of POST', 'handler'],
    },
    {
      what: 'leaves alone what is excluded',
      tool: 'ways__free',
      http: 'GET /ways/free/of/it',
      status: 200,
      view: content('free'),
      steps: ['global middleware', 'handler'],
    },
    ...PLACES.flatMap((place) => [
      {
        what: `ends the request: ${place}`,
        ...read,
        ...asked(`${place} ends 403`, 403),
        view: refused('ended_early', 'by a middleware'),
      },
      {
        what: `passes an error on: ${place}`,
        ...read,
        ...asked(`${place} passes`, 403),
        view: refused('forbidden', 'passed by a middleware'),
      },
      {
        what: `finds the caller not authenticated: ${place}`,
        ...read,
        ...asked(`${place} ends 401`, 401),
        view: refused('ended_early', 'by a middleware'),
        differs: HOST_HAS_TO_SIGN_IN,
      },
      {
        what: `breaks: ${place}`,
        ...read,
        ...asked(`${place} ends 503`, 503),
        view: refused('ended_early', 'by a middleware'),
        differs: hostHasToRepair(503),
      },
      {
        what: `sends the caller elsewhere: ${place}`,
        ...read,
        ...asked(`${place} ends 302`, 302),
        runs: 0,
        view: content({ code: 'ended_early', message: 'by a middleware' }),
        differs: {
          because: 'another address is another operation, which the palette may not hold',
          view: thrown('operation_redirected', 302),
        },
      },
      {
        what: `answers in the handler's place: ${place}`,
        ...read,
        ...asked(`${place} ends 200`, 200),
        runs: 0,
        view: content({ code: 'ended_early', message: 'by a middleware' }),
        differs: {
          because: 'what did not come from the operation is not passed off as its result',
          view: refused(
            'operation_identity_mismatch',
            'These arguments do not lead to the operation that was called. Use other values.',
          ),
        },
      },
    ]),
    ...['global middleware', 'class middleware'].map((place) => ({
      what: `throws: ${place}`,
      ...read,
      ...asked(`${place} throws`, 403),
      view: refused('forbidden', 'thrown in a middleware'),
    })),
  ],
});
