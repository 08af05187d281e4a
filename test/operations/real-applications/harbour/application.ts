import {
  ClassSerializerInterceptor,
  HttpStatus,
  Injectable,
  UnprocessableEntityException,
  ValidationPipe,
  VersioningType,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type ValidationError,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { mergeMap, type Observable } from 'rxjs';
import type { ApplicationFixture } from '../support/described-application.js';
import { AccountController, HomeController, SailorsController, ShipsController } from './controllers.js';

/** Serializers do not wait for promises within an answer. */
@Injectable()
class ResolvingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(mergeMap((value: unknown) => Promise.resolve(value)));
  }
}

function faultsOf(errors: readonly ValidationError[]): Record<string, unknown> {
  return Object.fromEntries(
    errors.map(({ property, children, constraints }) => [
      property,
      children && children.length > 0 ? faultsOf(children) : Object.values(constraints ?? {}).join(', '),
    ]),
  );
}

/**
 * In the shape of a boilerplate with accounts and roles: a prefix but for the root, versions by URI, objects in the query as
 * JSON, properties that documentation alone tells of, answers serialized by group.
 */
export const HARBOUR: ApplicationFixture = {
  metadata: { controllers: [SailorsController, AccountController, ShipsController, HomeController] },
  configure: (app) => {
    app.setGlobalPrefix('api', { exclude: ['/'] });
    app.enableVersioning({ type: VersioningType.URI });
    app.useGlobalPipes(
      new ValidationPipe({
        transform: true,
        whitelist: true,
        errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY,
        exceptionFactory: (errors) =>
          new UnprocessableEntityException({
            status: HttpStatus.UNPROCESSABLE_ENTITY,
            message: 'unfit',
            details: faultsOf(errors),
          }),
      }),
    );
    app.useGlobalInterceptors(new ResolvingInterceptor(), new ClassSerializerInterceptor(app.get(Reflector)));
  },
};
