import {
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  NotFoundException,
  Param,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { Operation } from 'nestjs-palette';
import { of, type Observable } from 'rxjs';
import {
  content,
  fidelityTable,
  handled,
  hostHasToRepair,
  HOST_HAS_TO_SIGN_IN,
  mark,
  refused,
} from './support/fidelity-table.js';
import { isAskedTo, requestOf } from './support/request.js';

/** Marks that it was asked, and refuses where the caller wants it to. */
abstract class MarkingGuard implements CanActivate {
  abstract readonly place: string;

  canActivate(context: ExecutionContext): boolean {
    mark(this.place);
    return !isAskedTo(requestOf(context), 'x-refuse', this.place);
  }
}

class GlobalGuard extends MarkingGuard {
  readonly place = 'global guard';
}
@Injectable()
class AppGuard extends MarkingGuard {
  readonly place = 'app guard';
}
@Injectable()
class ClassGuard extends MarkingGuard {
  readonly place = 'class guard';
}
@Injectable()
class MethodGuard extends MarkingGuard {
  readonly place = 'method guard';
}

/** A global guard with a dependency, by metadata of the handler and the class. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.getAllAndOverride<string>('role', [context.getHandler(), context.getClass()]);
    return role === undefined || requestOf(context).headers['x-role'] === role;
  }
}

@Injectable()
class PromiseGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    return !isAskedTo(requestOf(context), 'x-refuse', 'promise');
  }
}

@Injectable()
class ObservableGuard implements CanActivate {
  canActivate(context: ExecutionContext): Observable<boolean> {
    return of(!isAskedTo(requestOf(context), 'x-refuse', 'observable'));
  }
}

const THROWN: Readonly<Record<string, () => Error>> = {
  forbidden: () => new ForbiddenException('not yours'),
  unauthorized: () => new UnauthorizedException('sign in again'),
  hidden: () => new NotFoundException('no such thing'),
  payment: () => new HttpException({ code: 'plan_exhausted', message: 'upgrade', details: { plan: 'free' } }, 402),
  teapot: () => new HttpException('short and stout', 418),
  broken: () => new Error('secret of the guard'),
};

@Injectable()
class ThrowingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const error = THROWN[requestOf(context).headers['x-refuse'] ?? ''];
    if (error) throw error();
    return true;
  }
}

@Controller('guarded')
@UseGuards(ClassGuard)
class GuardedController {
  @Operation() @Get('places/:id') @UseGuards(MethodGuard) places(@Param('id') id: string): { id: string } {
    return handled({ id });
  }
  @Operation() @Get('kinds') @UseGuards(PromiseGuard, ObservableGuard, ThrowingGuard) kinds(): { passed: boolean } {
    return handled({ passed: true });
  }
  @Operation() @Get('payroll') @SetMetadata('role', 'admin') payroll(): string {
    return handled('payroll');
  }
}

const places = {
  tool: 'guarded__places',
  args: { id: 'a/b' },
  http: 'GET /guarded/places/a%2Fb',
};
const kinds = { tool: 'guarded__kinds', http: 'GET /guarded/kinds' };
const payroll = {
  tool: 'guarded__payroll',
  http: 'GET /guarded/payroll',
};
const refusing = (place: string) => ({
  headers: { 'x-refuse': place },
  status: 403,
  view: refused('forbidden', 'Forbidden resource'),
});

fidelityTable('guards', {
  application: () => ({
    controllers: [GuardedController],
    providers: [
      { provide: APP_GUARD, useClass: AppGuard },
      { provide: APP_GUARD, useClass: RolesGuard },
    ],
  }),
  configure: (app) => app.useGlobalGuards(new GlobalGuard()),
  dispatch: { forwardHeaders: ['x-refuse', 'x-role'] },
  rows: [
    {
      what: 'all let the call pass',
      ...places,
      status: 200,
      view: content({ id: 'a/b' }),
      steps: ['app guard', 'global guard', 'class guard', 'method guard', 'handler'],
    },
    { what: 'a global guard refuses', ...places, ...refusing('global guard') },
    { what: 'an APP_GUARD refuses', ...places, ...refusing('app guard') },
    { what: 'a class guard refuses', ...places, ...refusing('class guard') },
    { what: 'a method guard refuses', ...places, ...refusing('method guard') },
    {
      what: 'the role on the handler is met',
      ...payroll,
      headers: { 'x-role': 'admin' },
      status: 200,
      view: content('payroll'),
    },
    {
      what: 'the role on the handler is missed',
      ...payroll,
      headers: { 'x-role': 'user' },
      status: 403,
      view: refused('forbidden', 'Forbidden resource'),
    },
    { what: 'all kinds let the call pass', ...kinds, status: 200, view: content({ passed: true }) },
    { what: 'a promise refuses', ...kinds, ...refusing('promise') },
    { what: 'an observable refuses', ...kinds, ...refusing('observable') },
    {
      what: 'a guard refuses in its own words',
      ...kinds,
      ...refusing('forbidden'),
      view: refused('forbidden', 'not yours'),
    },
    {
      what: 'a guard hides what there is',
      ...kinds,
      ...refusing('hidden'),
      status: 404,
      view: refused('not_found', 'no such thing'),
    },
    {
      what: 'a guard refuses with a code and details of its own',
      ...kinds,
      ...refusing('payment'),
      status: 402,
      view: refused('plan_exhausted', 'upgrade', { plan: 'free' }),
    },
    {
      what: 'a guard refuses with an odd status',
      ...kinds,
      ...refusing('teapot'),
      status: 418,
      view: refused('i_m_a_teapot', 'short and stout'),
    },
    {
      what: 'a guard finds the caller not authenticated',
      ...kinds,
      ...refusing('unauthorized'),
      status: 401,
      view: refused('unauthorized', 'sign in again'),
      differs: HOST_HAS_TO_SIGN_IN,
    },
    {
      what: 'a guard breaks',
      ...kinds,
      ...refusing('broken'),
      status: 500,
      view: refused('internal_server_error', 'Internal server error'),
      differs: hostHasToRepair(),
    },
  ],
});
