import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { rawRequestOf } from '../../common/index.js';
import { OperationCatalogue } from '../../operations/index.js';
import { OperationAudit } from '../audit/index.js';
import { statusCode } from '../result/tool-result.js';
import { toolCallOf } from '../tool-call-state.js';

/** Records calls of operations over plain HTTP, where the audit asks for it; tool calls are recorded by the dispatcher. */
@Injectable()
export class OperationAuditInterceptor implements NestInterceptor {
  constructor(
    @Inject(OperationAudit) private readonly audit: OperationAudit,
    private readonly catalogue: OperationCatalogue,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.audit.recordsHttp && context.getType() === 'http') this.#record(context);
    return next.handle();
  }

  #record(context: ExecutionContext): void {
    const request = context.switchToHttp().getRequest<object>();
    const operation = this.catalogue.operationOf(context.getClass(), context.getHandler().name);
    if (operation === undefined || toolCallOf(request) !== undefined) return;
    const call = { surface: 'http' as const, operation: operation.name, request, bytes: 0 };
    const end = this.audit.begin(call);
    // Fastify's reply knows headers that the response underneath never sees.
    const platformResponse = context.switchToHttp().getResponse<{ getHeader(name: string): unknown }>();
    const response = rawRequestOf(platformResponse) as ServerResponse;
    response.once('close', () => {
      call.bytes = Number(platformResponse.getHeader('content-length') ?? 0);
      end(outcomeOf(response));
    });
  }
}

function outcomeOf(response: ServerResponse): string {
  if (!response.writableFinished) return 'dispatch_cancelled';
  return response.statusCode < 400 ? 'ok' : statusCode(response.statusCode);
}
