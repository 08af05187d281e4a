import { UseInterceptors, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { OperationDescriptor, PlacedSlot } from '../../operations/index.js';
import { toolCallOf } from '../tool-call-state.js';

/**
 * Gives the pipes of a tool call the query values that the model sent, after middleware and guards saw them as text. A
 * query string has text only: `false` would arrive as `'false'`, which an implicit conversion takes for true.
 */
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

const TYPED_QUERY = new TypedQueryInterceptor();
// A method that two applications of one process have, or two controllers inherit, is bound once.
const BOUND = new WeakSet<object>();

/**
 * Puts the interceptor on the operations whose query may hold more than text, before Nest makes their routes. On every route of
 * the application it would cost each request a good part of what Nest itself costs.
 */
export function bindTypedQuery({ controller, methodName, handler, input }: OperationDescriptor): void {
  if (!input.slots.some(holdsMoreThanText) || BOUND.has(handler)) return;
  BOUND.add(handler);
  UseInterceptors(TYPED_QUERY)(controller.prototype as object, methodName, { value: handler });
}

function holdsMoreThanText({ source, isText, jsonParameter, checked }: PlacedSlot): boolean {
  return source === 'query' && !isText && jsonParameter === undefined && checked.type !== 'string';
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
