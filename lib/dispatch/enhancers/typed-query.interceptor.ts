import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { toolCallOf } from '../tool-call-state.js';

/**
 * Gives the pipes of a tool call the query values that the model sent, after middleware and guards saw them as text. A
 * query string has text only: `false` would arrive as `'false'`, which an implicit conversion takes for true.
 */
@Injectable()
export class TypedQueryInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') {
      const request = context.switchToHttp().getRequest<object>();
      const typedQuery = toolCallOf(request)?.typedQuery;
      if (typedQuery !== undefined) replaceQuery(request, typedQuery);
    }
    return next.handle();
  }
}

/** Express 5 has a getter on the prototype, so that an assignment would be lost. */
function replaceQuery(request: object, query: Readonly<Record<string, unknown>>): void {
  Object.defineProperty(request, 'query', {
    value: { ...query },
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
