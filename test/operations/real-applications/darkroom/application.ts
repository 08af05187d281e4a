import {
  BadRequestException,
  Injectable,
  type ArgumentMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { tap, type Observable } from 'rxjs';
import type { z } from 'zod';
import type { ApplicationFixture } from '../support/described-application.js';
import { KeysGuard, PlatesController } from './controllers.js';

/** Takes a value for the schema that the class of its parameter stands for. */
@Injectable()
class SchemaPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    const { schema } = (metatype ?? {}) as { schema?: z.ZodType };
    if (schema === undefined) return value;
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const issues = error.issues.map(({ path, message }) => `[${path.join('.')}] ${message}`);
    throw new BadRequestException({ statusCode: 400, message: issues, error: 'Bad Request' });
  }
}

@Injectable()
class TimingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(tap());
  }
}

/**
 * In the shape of a server for photographs: schemas of zod behind classes, with ids, codecs and refinements; permissions; files
 * that handlers send by themselves.
 */
export const DARKROOM: ApplicationFixture = {
  metadata: {
    controllers: [PlatesController],
    providers: [
      KeysGuard,
      { provide: APP_PIPE, useClass: SchemaPipe },
      { provide: APP_INTERCEPTOR, useClass: TimingInterceptor },
    ],
  },
  configure: (app) => {
    app.setGlobalPrefix('api', { exclude: ['.well-known/darkroom'] });
  },
};
