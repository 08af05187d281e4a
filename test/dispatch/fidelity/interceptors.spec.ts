import {
  BadGatewayException,
  Body,
  ClassSerializerInterceptor,
  ConflictException,
  Controller,
  Get,
  GatewayTimeoutException,
  Injectable,
  Param,
  Post,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Operation } from 'nestjs-palette';
import { catchError, from, map, of, retry, tap, throwError, timeout, type Observable } from 'rxjs';
import { content, fidelityTable, handled, hostHasToRepair, mark, refused } from './support/fidelity-table.js';
import { requestOf } from './support/request.js';

/** Marks the way in and the way out. */
abstract class MarkingInterceptor implements NestInterceptor {
  abstract readonly place: string;

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    mark(`into ${this.place}`);
    if (requestOf(context).headers['x-act'] === `${this.place} refuses`) throw new ConflictException(this.place);
    if (requestOf(context).headers['x-act'] === `${this.place} answers`) return of({ answeredBy: this.place });
    const began = performance.now();
    return next.handle().pipe(tap(() => mark(`out of ${this.place} ${performance.now() >= began}`)));
  }
}

class GlobalInterceptor extends MarkingInterceptor {
  readonly place = 'global interceptor';
}
@Injectable()
class AppInterceptor extends MarkingInterceptor {
  readonly place = 'app interceptor';
}
@Injectable()
class ClassInterceptor extends MarkingInterceptor {
  readonly place = 'class interceptor';
}
@Injectable()
class MethodInterceptor extends MarkingInterceptor {
  readonly place = 'method interceptor';
}

@Injectable()
class EnvelopeInterceptor implements NestInterceptor {
  async intercept(_context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await new Promise((resolve) => setImmediate(resolve));
    return next.handle().pipe(map((data: unknown) => ({ data, meta: { version: 1 } })));
  }
}

const cached = new Map<string, unknown>();

@Injectable()
class CachingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const key = requestOf(context).url;
    if (requestOf(context).headers['x-act'] === 'warm') cached.set(key, { from: 'the cache' });
    return cached.has(key) ? of(cached.get(key)) : next.handle().pipe(tap((answer) => cached.set(key, answer)));
  }
}

@Injectable()
class ErrorInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      timeout({ first: 250, with: () => throwError(() => new GatewayTimeoutException()) }),
      catchError((error: Error) =>
        throwError(() =>
          error.message === 'locked'
            ? new ConflictException({ code: 'note_locked', message: 'somebody edits it', details: { by: 'Ada' } })
            : error instanceof GatewayTimeoutException
              ? error
              : new BadGatewayException('secret upstream'),
        ),
      ),
    );
  }
}

@Injectable()
class RetryInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(retry(2));
  }
}

class Author {
  name = 'Ada';
  @Exclude() email = 'ada@example.org';
}
class User {
  id = 7;
  @Exclude() passwordHash = 'secret';
  @Expose({ name: 'fullName' }) name = 'Ada Lovelace';
  @Transform(({ value }: { value: Date }) => value.getUTCFullYear()) born = new Date('1815-12-10');
  @Type(() => Author) author = new Author();
}

@Controller('intercepted')
@UseInterceptors(ClassInterceptor)
class InterceptedController {
  #attempts = 0;

  @Operation() @Get('order/:id') @UseInterceptors(MethodInterceptor) order(@Param('id') id: string): unknown {
    return handled({ id });
  }
  @Operation() @Get('enveloped') @UseInterceptors(EnvelopeInterceptor) enveloped(): number[] {
    return handled([1, 2]);
  }
  @Operation() @Get('cached') @UseInterceptors(CachingInterceptor) cached(): unknown {
    return handled({ from: 'the handler' });
  }
  @Operation() @Post('mapped') @UseInterceptors(ErrorInterceptor) async mapped(
    @Body('how') how: string,
  ): Promise<string> {
    handled(how);
    if (how === 'slow') await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    if (how !== 'well') throw new Error(how);
    return how;
  }
  @Operation() @Get('retried') @UseInterceptors(RetryInterceptor) retried(): { attempts: number } {
    handled(undefined);
    if (++this.#attempts % 3 !== 0) throw new ConflictException();
    return { attempts: 3 };
  }
  @Operation() @Get('users') @UseInterceptors(ClassSerializerInterceptor) users(): User[] {
    return handled([new User()]);
  }
  @Operation() @Get('observed') @UseInterceptors(EnvelopeInterceptor) observed(): Observable<number> {
    return from([handled(1), 2, 3]);
  }
}

const order = { tool: 'intercepted__order', args: { id: '7' }, http: 'GET /intercepted/order/7' };
const ORDER = ['app interceptor', 'global interceptor', 'class interceptor', 'method interceptor'];
const mapped = (how: string) => ({
  tool: 'intercepted__mapped',
  args: { how },
  http: 'POST /intercepted/mapped',
  body: { how },
  runs: 1,
});

fidelityTable('interceptors', {
  application: () => ({
    controllers: [InterceptedController],
    providers: [{ provide: APP_INTERCEPTOR, useClass: AppInterceptor }, Reflector],
  }),
  configure: (app) => app.useGlobalInterceptors(new GlobalInterceptor()),
  dispatch: { forwardHeaders: ['x-act'] },
  reset: () => cached.clear(),
  rows: [
    {
      what: 'run in their order, in and out',
      ...order,
      status: 200,
      view: content({ id: '7' }),
      steps: [
        ...ORDER.map((place) => `into ${place}`),
        'handler',
        ...ORDER.toReversed().map((place) => `out of ${place} true`),
      ],
    },
    ...ORDER.flatMap((place) => [
      {
        what: `refuse: ${place}`,
        ...order,
        headers: { 'x-act': `${place} refuses` },
        status: 409,
        view: refused('conflict', place),
      },
      {
        what: `answer without the handler: ${place}`,
        ...order,
        headers: { 'x-act': `${place} answers` },
        status: 200,
        runs: 0,
        view: content({ answeredBy: place }),
      },
    ]),
    {
      what: 'map what the handler answers',
      tool: 'intercepted__enveloped',
      http: 'GET /intercepted/enveloped',
      status: 200,
      view: content({ data: [1, 2], meta: { version: 1 } }),
    },
    {
      what: 'fill a cache',
      tool: 'intercepted__cached',
      http: 'GET /intercepted/cached',
      status: 200,
      view: content({ from: 'the handler' }),
    },
    {
      what: 'answer from a cache',
      tool: 'intercepted__cached',
      http: 'GET /intercepted/cached',
      headers: { 'x-act': 'warm' },
      status: 200,
      runs: 0,
      view: content({ from: 'the cache' }),
    },
    { what: 'leave alone what is well', ...mapped('well'), status: 201, view: content('well') },
    {
      what: 'say an error in the words of the application',
      ...mapped('locked'),
      status: 409,
      view: refused('note_locked', 'somebody edits it', { by: 'Ada' }),
    },
    {
      what: 'hide a fault behind another',
      ...mapped('broken'),
      status: 502,
      view: refused('bad_gateway', 'secret upstream'),
      differs: hostHasToRepair(502),
    },
    {
      what: 'give up what takes too long',
      ...mapped('slow'),
      status: 504,
      view: refused('gateway_timeout', 'Gateway Timeout'),
      differs: hostHasToRepair(504),
    },
    {
      what: 'try again',
      tool: 'intercepted__retried',
      http: 'GET /intercepted/retried',
      status: 200,
      runs: 3,
      view: content({ attempts: 3 }),
    },
    {
      what: 'serialise classes',
      tool: 'intercepted__users',
      http: 'GET /intercepted/users',
      status: 200,
      view: content([{ id: 7, born: 1815, author: { name: 'Ada' }, fullName: 'Ada Lovelace' }]),
    },
    {
      what: 'map each value of an observable, of which the last is the answer',
      tool: 'intercepted__observed',
      http: 'GET /intercepted/observed',
      status: 200,
      view: content({ data: 3, meta: { version: 1 } }),
    },
  ],
});
