import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type InjectionToken,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { rawRequestOf } from '../../common/index.js';
import { secretFault } from '../cursor/index.js';

/** By Node request: the secret that a provider of this application gave. */
const SECRETS = new WeakMap<object, string>();

export function injectedCursorSecret(rawRequest: object | undefined): string | undefined {
  return rawRequest && SECRETS.get(rawRequest);
}

/**
 * Hands a provider's secret on to the parameter decorator, which has no injector of its own. Nest makes one instance an
 * application, so that a controller class that two applications use keeps two secrets.
 */
export function cursorSecretInterceptor(token: InjectionToken<string>): Type<NestInterceptor> {
  @Injectable()
  class CursorSecretInterceptor implements NestInterceptor {
    constructor(@Inject(token) private readonly secret: string) {
      const fault = secretFault(secret);
      if (fault !== undefined) throw new TypeError(`The provider of cursorSecret ${fault}.`);
    }

    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const rawRequest = rawRequestOf(context.switchToHttp().getRequest<unknown>());
      if (rawRequest) SECRETS.set(rawRequest, this.secret);
      return next.handle();
    }
  }
  return CursorSecretInterceptor;
}
