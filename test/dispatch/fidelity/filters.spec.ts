import {
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  NotFoundException,
  Param,
  UnprocessableEntityException,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { Operation } from 'nestjs-palette';
import { throwError, type Observable } from 'rxjs';
import {
  content,
  fidelityTable,
  handled,
  hostHasToRepair,
  HOST_HAS_TO_SIGN_IN,
  mark,
  refused,
} from './support/fidelity-table.js';

class LockedError extends Error {}
class QuotaError extends Error {}
class GoneError extends Error {}
class SignedOutError extends Error {}
class SoftError extends Error {}
class PlainError extends Error {}
class ProblemError extends Error {}

/** The part of a response that both platforms have. */
interface AnyResponse {
  status(status: number): AnyResponse;
  header(name: string, value: string): AnyResponse;
  send(body: unknown): void;
}

function responseOf(host: ArgumentsHost): AnyResponse {
  return host.switchToHttp().getResponse<AnyResponse>();
}

@Catch(LockedError)
class GlobalFilter implements ExceptionFilter {
  catch(_error: LockedError, host: ArgumentsHost): void {
    mark('global filter');
    responseOf(host)
      .status(423)
      .send({ code: 'NOTE_LOCKED', message: 'somebody edits it', details: [{ by: 'Ada' }] });
  }
}

@Injectable()
@Catch(QuotaError)
class AppFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(_error: QuotaError, host: ArgumentsHost): void {
    mark('app filter');
    const body = { code: 'quota.exceeded', message: 'come back tomorrow' };
    this.adapterHost.httpAdapter.reply(host.switchToHttp().getResponse(), body, 429);
  }
}

@Catch(GoneError, SignedOutError)
class ClassFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    mark('class filter');
    const status = error instanceof GoneError ? 410 : 401;
    responseOf(host).status(status).send({ message: 'in the words of the class' });
  }
}

@Catch(ProblemError)
class ProblemFilter implements ExceptionFilter {
  catch(_error: ProblemError, host: ArgumentsHost): void {
    mark('problem filter');
    const problem = { type: 'about:blank', title: 'Out of stock', detail: 'two are left', errors: [{ left: 2 }] };
    responseOf(host).status(409).header('content-type', 'application/problem+json').send(JSON.stringify(problem));
  }
}

@Catch(SoftError, PlainError)
class MethodFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    mark('method filter');
    if (error instanceof SoftError) responseOf(host).status(200).send({ ok: false });
    else responseOf(host).status(400).header('content-type', 'text/plain').send('in plain words');
  }
}

@Catch(NotFoundException)
class InheritingFilter extends BaseExceptionFilter {
  override catch(error: NotFoundException, host: ArgumentsHost): void {
    mark('inheriting filter');
    super.catch(error, host);
  }
}

@Injectable()
class SoftGuard implements CanActivate {
  canActivate(): boolean {
    throw new SoftError();
  }
}

const THROWN: Readonly<Record<string, () => unknown>> = {
  locked: () => new LockedError(),
  quota: () => new QuotaError(),
  gone: () => new GoneError(),
  signedOut: () => new SignedOutError(),
  plain: () => new PlainError(),
  problem: () => new ProblemError(),
  soft: () => new SoftError(),
  missing: () => new NotFoundException('no such note'),
  text: () => new ForbiddenException(),
  listed: () => new UnprocessableEntityException(['title is short', 'body is long']),
  described: () => new ForbiddenException('who?', { description: 'a title', cause: new Error('secret') }),
  object: () => new HttpException({ statusCode: 418, message: 'a message', code: 'own code' }, 418),
  unknown: () => new Error('secret'),
  nothing: () => undefined,
  string: () => 'secret text',
  object500: () => new HttpException({ code: 'db', message: 'secret' }, 500),
};

@Controller('thrown')
@UseFilters(ClassFilter)
class ThrownController {
  @Operation() @Get('sync/:what') sync(@Param('what') what: string): string {
    handled(what);
    if (what !== 'well') throw THROWN[what]?.();
    return what;
  }
  @Operation() @Get('async/:what') async async(@Param('what') what: string): Promise<string> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.sync(what);
  }
  @Operation() @Get('observable/:what') observable(@Param('what') what: string): Observable<string> | string {
    handled(what);
    return what === 'well' ? what : throwError(() => THROWN[what]?.());
  }
  @Operation() @Get('method/:what') @UseFilters(MethodFilter, InheritingFilter, ProblemFilter) method(
    @Param('what') what: string,
  ): string {
    return this.sync(what);
  }
  @Operation() @Get('guarded') @UseGuards(SoftGuard) @UseFilters(MethodFilter) guarded(): string {
    return handled('guarded');
  }
}

const ways = ['sync', 'async', 'observable'];
const thrownBy = (way: string, what: string) => ({
  what: `${what}, ${way}`,
  tool: `thrown__${way}`,
  args: { what },
  http: `GET /thrown/${way}/${what}`,
  runs: 1,
});

fidelityTable('exception filters', {
  application: () => ({
    controllers: [ThrownController],
    providers: [{ provide: APP_FILTER, useClass: AppFilter }],
  }),
  configure: (app) => app.useGlobalFilters(new GlobalFilter()),
  rows: [
    ...ways.flatMap((way) => [
      { ...thrownBy(way, 'well'), status: 200, view: content('well') },
      {
        ...thrownBy(way, 'locked'),
        status: 423,
        view: refused('NOTE_LOCKED', 'somebody edits it', [{ by: 'Ada' }]),
        steps: ['handler', 'global filter'],
      },
      {
        ...thrownBy(way, 'quota'),
        status: 429,
        view: refused('quota.exceeded', 'come back tomorrow'),
        steps: ['handler', 'app filter'],
      },
      {
        ...thrownBy(way, 'gone'),
        status: 410,
        view: refused('gone', 'in the words of the class'),
        steps: ['handler', 'class filter'],
      },
      {
        ...thrownBy(way, 'signedOut'),
        status: 401,
        view: refused('unauthorized', 'in the words of the class'),
        differs: HOST_HAS_TO_SIGN_IN,
      },
      { ...thrownBy(way, 'missing'), status: 404, view: refused('not_found', 'no such note') },
      { ...thrownBy(way, 'text'), status: 403, view: refused('forbidden', 'Forbidden') },
      {
        ...thrownBy(way, 'listed'),
        status: 422,
        view: refused('unprocessable_entity', 'Unprocessable Entity', ['title is short', 'body is long']),
      },
      { ...thrownBy(way, 'described'), status: 403, view: refused('forbidden', 'who?') },
      ...['unknown', 'nothing', 'string'].map((what) => ({
        ...thrownBy(way, what),
        status: 500,
        view: refused('internal_server_error', 'Internal server error'),
        differs: hostHasToRepair(),
      })),
      { ...thrownBy(way, 'object500'), status: 500, view: refused('db', 'secret'), differs: hostHasToRepair() },
    ]),
    { ...thrownBy('method', 'well'), status: 200, view: content('well') },
    {
      ...thrownBy('method', 'missing'),
      status: 404,
      view: refused('not_found', 'no such note'),
      steps: ['handler', 'inheriting filter'],
    },
    { ...thrownBy('method', 'plain'), status: 400, view: refused('bad_request', 'in plain words') },
    {
      ...thrownBy('method', 'problem'),
      status: 409,
      view: refused('conflict', 'two are left', [{ left: 2 }]),
      steps: ['handler', 'problem filter'],
    },
    {
      ...thrownBy('method', 'soft'),
      status: 200,
      view: content({ ok: false }),
      steps: ['handler', 'method filter'],
    },
    {
      what: 'a refusal of a guard that a filter answers with 200',
      tool: 'thrown__guarded',
      http: 'GET /thrown/guarded',
      status: 200,
      runs: 0,
      view: content({ ok: false }),
    },
  ],
});
