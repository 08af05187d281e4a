import { UseInterceptors, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { declareInput } from '../../operations/index.js';
import type { Paging } from '../ast.js';
import { isInjected, type CursorSecret } from '../cursor/index.js';
import type { Capabilities } from '../executor.js';
import { describeQueryToOpenApi } from '../openapi/index.js';
import { ReturnableInterceptor } from '../returnable/index.js';
import { cursorSecretInterceptor } from './cursor-secret.interceptor.js';
import { QueryInput, type QueryForm } from './query-input.js';

export interface QueryBodyOptions {
  /** What the store can run that the handler asks; the policy is narrowed to it. Default: everything. */
  readonly capabilities?: Capabilities;
}

export interface ListQueryBodyOptions extends QueryBodyOptions {
  /** How a caller pages: `offset` by `page`, `cursor` by `after` and `before`. Default: `offset`. */
  readonly paging?: Paging['kind'];
  /**
   * Seals cursors, so that nobody else can read or make one: 32 characters at least, from the application's configuration.
   * A function is asked for each request; `{ inject: TOKEN }` names a provider of the controller's module. Default: cursors
   * are bound to query and policy by a hash, and readable.
   */
  readonly cursorSecret?: CursorSecret;
}

/**
 * A list query, parsed and checked against the policy of the read model and of the method:
 * `list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>)`. It is read from the raw JSON value of the body, on a `GET`
 * route of the one parameter `query`, and pipes leave it alone. Rows leave with no other fields than `returnable` and the
 * query's `select` name.
 * A bad query is answered with 400 and every issue of it, before the handler runs.
 */
export function ListQueryBody(readModel: Type, options: ListQueryBodyOptions = {}): ParameterDecorator {
  return queryBody(readModel, 'list', options);
}

/**
 * An aggregate query, parsed and checked against the policy of the read model and of the method:
 * `aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>)`. On a `GET` route it is the one parameter `query`.
 * A bad query is answered with 400 and every issue of it, before the handler runs.
 */
export function AggregateQueryBody(readModel: Type, options: QueryBodyOptions = {}): ParameterDecorator {
  return queryBody(readModel, 'aggregate', options);
}

const BoundQuery = createParamDecorator((input: QueryInput, context: ExecutionContext) => input.bind(context));

function queryBody(readModel: Type, form: QueryForm, options: ListQueryBodyOptions): ParameterDecorator {
  return (prototype, method, index) => {
    if (method === undefined) throw new TypeError('A query body is a parameter of a controller method.');
    const input = new QueryInput({ readModel, form, prototype, method, ...options });
    BoundQuery(input)(prototype, method, index);
    declareInput(prototype, method, index, input);
    describeQueryToOpenApi(input, prototype, method);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
    if (form !== 'list' || descriptor === undefined) return;
    const { cursorSecret } = options;
    if (isInjected(cursorSecret)) {
      UseInterceptors(cursorSecretInterceptor(cursorSecret.inject))(prototype, method, descriptor);
    }
    UseInterceptors(new ReturnableInterceptor(input))(prototype, method, descriptor);
  };
}
