import { UseInterceptors, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { declareInput } from '../../operations/index.js';
import type { Capabilities } from '../executor.js';
import { ReturnableInterceptor } from '../returnable/index.js';
import { QueryInput, type QueryForm } from './query-input.js';

export interface QueryBodyOptions {
  /** What the store can run that the handler asks; the policy is narrowed to it. Default: everything. */
  readonly capabilities?: Capabilities;
}

/**
 * The body of a list query, parsed and checked against the policy of the read model and of the method:
 * `list(@ListQueryBody(NoteRead) query: ListQuery<NoteRead>)`. It is read from the raw JSON value, and pipes leave it
 * alone. Rows leave with no other fields than `returnable` and the query's `select` name.
 * A bad query is answered with 400 and every issue of it, before the handler runs.
 */
export function ListQueryBody(readModel: Type, options?: QueryBodyOptions): ParameterDecorator {
  return queryBody(readModel, 'list', options);
}

/**
 * The body of an aggregate query, parsed and checked against the policy of the read model and of the method:
 * `aggregate(@AggregateQueryBody(NoteRead) query: AggregateQuery<NoteRead>)`.
 * A bad query is answered with 400 and every issue of it, before the handler runs.
 */
export function AggregateQueryBody(readModel: Type, options?: QueryBodyOptions): ParameterDecorator {
  return queryBody(readModel, 'aggregate', options);
}

const BoundQuery = createParamDecorator((input: QueryInput, context: ExecutionContext) => input.bind(context));

function queryBody(readModel: Type, form: QueryForm, options: QueryBodyOptions = {}): ParameterDecorator {
  return (prototype, method, index) => {
    if (method === undefined) throw new TypeError('A query body is a parameter of a controller method.');
    const input = new QueryInput(readModel, form, prototype, method, options.capabilities);
    BoundQuery(input)(prototype, method, index);
    declareInput(prototype, method, index, input);
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
    if (form === 'list' && descriptor) UseInterceptors(new ReturnableInterceptor(input))(prototype, method, descriptor);
  };
}
