import {
  Catch,
  ClassSerializerInterceptor,
  HttpStatus,
  UnprocessableEntityException,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
  type ValidationError,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { ApplicationFixture } from '../support/described-application.js';
import { RolesGuard, TokenGuard } from './decorators.js';
import { EntriesController, HealthController, ReadersController, SessionsController } from './controllers.js';

/** Words the faults of a body by property. */
@Catch(UnprocessableEntityException)
class FaultsFilter implements ExceptionFilter<UnprocessableEntityException> {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: UnprocessableEntityException, host: ArgumentsHost): void {
    const { message } = exception.getResponse() as { message: ValidationError[] };
    const faults = message.map(({ property, constraints }) =>
      [property, ...Object.keys(constraints ?? {}).sort()].join(' '),
    );
    const body = { statusCode: HttpStatus.UNPROCESSABLE_ENTITY, code: 'unfit', message: 'Look again', details: faults };
    this.adapterHost.httpAdapter.reply(host.switchToHttp().getResponse(), body, HttpStatus.UNPROCESSABLE_ENTITY);
  }
}

/**
 * In the shape of a boilerplate that many services start from: decorators composed of decorators for fields, routes and
 * parameters; pages; erased types; a serializer; versions by URI.
 */
export const READING_ROOM: ApplicationFixture = {
  metadata: {
    controllers: [SessionsController, ReadersController, EntriesController, HealthController],
    providers: [TokenGuard, RolesGuard],
  },
  configure: (app) => {
    app.enableVersioning();
    app.useGlobalFilters(new FaultsFilter(app.get(HttpAdapterHost)));
    app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
    app.useGlobalPipes(
      new ValidationPipe({
        whitelist: true,
        forbidNonWhitelisted: true,
        transform: true,
        errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY,
        dismissDefaultMessages: true,
        exceptionFactory: (errors) => new UnprocessableEntityException(errors),
      }),
    );
  },
};
