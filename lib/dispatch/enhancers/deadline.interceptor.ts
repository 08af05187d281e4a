import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { toHttpException } from '../../common/index.js';
import { OperationCatalogue } from '../../operations/index.js';
import { DispatchError } from '../dispatch-error.js';
import { DISPATCH_OPTIONS, type ResolvedDispatchOptions } from '../dispatch.options.js';
import { toolCallOf } from '../tool-call-state.js';

/**
 * Gives up an operation that takes longer than `httpTimeoutMs` over plain HTTP: the handler's observable is unsubscribed, and
 * the answer is 504 `deadline_exceeded`. The dispatcher ends a tool call at its own deadline by closing its connection, which
 * the handler is told of (`signal` of `@Caller()`); an answer in its place would hide that.
 */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  constructor(
    @Inject(DISPATCH_OPTIONS) private readonly options: ResolvedDispatchOptions,
    private readonly catalogue: OperationCatalogue,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const timeoutMs = context.getType() === 'http' ? this.#timeoutMs(context) : undefined;
    if (timeoutMs === undefined) return next.handle();
    const operation = `${context.getClass().name}.${context.getHandler().name}`;
    const refuse = () =>
      toHttpException(new DispatchError('deadline_exceeded', { operation, parameters: { timeoutMs } }));
    return next.handle().pipe(timeout({ first: timeoutMs, with: () => throwError(refuse) }));
  }

  #timeoutMs(context: ExecutionContext): number | undefined {
    if (this.options.httpTimeoutMs === undefined) return undefined;
    if (toolCallOf(context.switchToHttp().getRequest()) !== undefined) return undefined;
    const operation = this.catalogue.operationOf(context.getClass(), context.getHandler().name);
    return operation && this.options.httpTimeoutMs;
  }
}
