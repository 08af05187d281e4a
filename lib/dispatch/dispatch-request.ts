import type { CallerContext } from '../common/index.js';
import {
  bindArguments,
  fillRouteTemplate,
  type BindingFault,
  type BoundArguments,
  type OperationAddress,
  type OperationDescriptor,
} from '../operations/index.js';
import type { ExchangeRequest } from './exchange/exchange.js';
import { requestHeaders } from './request-headers.js';

export interface BuiltRequest {
  readonly request: ExchangeRequest;
  readonly typedQuery: BoundArguments['typedQuery'];
}

export interface DispatchTarget {
  readonly operation: OperationDescriptor;
  readonly address: OperationAddress;
  readonly caller: CallerContext;
  readonly forwarded: ReadonlySet<string>;
}

/** Builds the HTTP request that a tool call stands for. */
export function dispatchRequest(
  target: DispatchTarget,
  args: Readonly<Record<string, unknown>>,
): BuiltRequest | { readonly faults: readonly BindingFault[] } {
  const binding = bindArguments(target.operation.input, args);
  if ('faults' in binding) return binding;
  const { bound } = binding;
  const body = bound.body === undefined ? undefined : Buffer.from(JSON.stringify(bound.body));
  const path = fillRouteTemplate(target.address.template, bound.path);
  return {
    typedQuery: bound.typedQuery,
    request: {
      method: target.operation.route.httpMethod,
      url: bound.query.length === 0 ? path : `${path}?${queryString(bound.query)}`,
      headers: requestHeaders({
        caller: target.caller,
        forwarded: target.forwarded,
        body,
        routeHeaders: target.address.headers,
      }),
      body,
      remoteAddress: target.caller.remoteAddress ?? '127.0.0.1',
    },
  };
}

function queryString(pairs: BoundArguments['query']): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
