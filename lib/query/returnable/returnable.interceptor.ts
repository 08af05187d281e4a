import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { PaletteError, rawRequestOf } from '../../common/index.js';
import type { ResolvedQueryPolicy } from '../policy/index.js';
import { hiddenFieldsOf, withoutHidden } from './hidden-fields.js';
import { projectResult } from './project-result.js';
import { rememberedReturnable } from './remembered-returnable.js';

/** Thrown where a handler answers with something in which `returnable` cannot be kept. */
export class QueryResultError extends PaletteError {
  static override readonly brand: symbol = Symbol.for('nestjs-palette:QueryResultError');
}

/** Whoever knows the policy of a request. */
interface PolicySource {
  policyOf(context: ExecutionContext): ResolvedQueryPolicy;
}

/**
 * Keeps `returnable` on the way out, whatever the handler answered: its own policy's, the palette's that the request
 * was made through, and what the query selected. Without it rows leave as they are, but for what the read model hides.
 * `@ListQueryBody` puts it on its method.
 */
export class ReturnableInterceptor implements NestInterceptor {
  constructor(private readonly source: PolicySource) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((result: unknown) => this.#restrict(result, context)));
  }

  #restrict(result: unknown, context: ExecutionContext): unknown {
    const rawRequest = rawRequestOf(context.switchToHttp().getRequest<unknown>());
    // An interceptor further in may have answered without binding the query: then the policy alone decides.
    const policy = this.source.policyOf(context);
    const names = (rawRequest && rememberedReturnable(rawRequest)) ?? policy.returnable;
    if (names === undefined) return hide(result, policy);
    const projected = projectResult(result, names);
    if (projected !== undefined) return projected.value;
    const operation = `${context.getClass().name}.${context.getHandler().name}`;
    throw new QueryResultError('query_result_opaque', { parameters: { operation } });
  }
}

/** Bytes and streams are the handler's own here: nobody said what rows may hold. */
function hide(result: unknown, { readModel, readFields }: ResolvedQueryPolicy): unknown {
  const isHidden = hiddenFieldsOf(readModel);
  if (isHidden === undefined) return result;
  const shown = projectResult(result, readFields, (row) => withoutHidden(row, isHidden));
  return shown === undefined ? result : shown.value;
}
