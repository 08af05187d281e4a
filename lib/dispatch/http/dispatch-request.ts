import type { CallerContext } from '../../common/index.js';
import { fillRouteTemplate, type BoundArguments, type OperationAddress } from '../../operations/index.js';
import type { ExchangeRequest } from '../exchange/exchange.js';
import { requestHeaders } from './request-headers.js';

export interface DispatchRequestInput {
  readonly address: OperationAddress;
  readonly bound: BoundArguments;
  readonly caller: CallerContext;
  /** Names of the caller's headers that go along. */
  readonly forwarded: ReadonlySet<string>;
  readonly idempotencyKey: string | undefined;
}

/** Builds the HTTP request that a tool call stands for. */
export function dispatchRequest(input: DispatchRequestInput): ExchangeRequest {
  const { address, bound, caller, forwarded, idempotencyKey } = input;
  const body = bound.body === undefined ? undefined : Buffer.from(JSON.stringify(bound.body));
  const path = fillRouteTemplate(address.template, bound.path);
  return {
    method: address.httpMethod,
    url: bound.query.length === 0 ? path : `${path}?${queryString(bound.query)}`,
    headers: requestHeaders({ caller, forwarded, idempotencyKey, body, routeHeaders: address.headers }),
    body,
    remoteAddress: caller.remoteAddress ?? '127.0.0.1',
  };
}

function queryString(pairs: BoundArguments['query']): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
