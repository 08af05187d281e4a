import { Inject, Injectable } from '@nestjs/common';
import { OperationAddresses } from '../../operations/index.js';
import type { ToolResult } from '../../palette/index.js';
import { carryQueryPolicy } from '../../query/index.js';
import { DispatchError } from '../dispatch-error.js';
import { DISPATCH_OPTIONS, type ResolvedDispatchOptions } from '../dispatch.options.js';
import { exchange, type ExchangeOutcome } from '../exchange/exchange.js';
import type { DispatchTransport, PreparedCall } from '../prepared-call.js';
import { attachToolCall, type ToolCallState } from '../tool-call-state.js';
import { ApplicationHttpServer } from './application-http-server.js';
import { dispatchRequest } from './dispatch-request.js';
import { outcomeResult } from './outcome-result.js';

/** Runs a tool call as a request through the application's HTTP server, in memory. */
@Injectable()
export class HttpTransport implements DispatchTransport {
  constructor(
    @Inject(DISPATCH_OPTIONS) private readonly options: ResolvedDispatchOptions,
    private readonly addresses: OperationAddresses,
    private readonly http: ApplicationHttpServer,
  ) {}

  async run(call: PreparedCall): Promise<ToolResult> {
    const { entry, operation, bound, info, caller, idempotencyKey, budget, running } = call;
    const { maxResultBytes: maxBytes, forwardHeaders: forwarded } = this.options;
    const address = this.addresses.addressOf(operation);
    if (address === undefined) throw new DispatchError('dispatch_before_init', { operation: operation.name });
    const server = await this.http.server(operation.name);
    const state: ToolCallState = { info, operation, typedQuery: bound.typedQuery, identity: 'unconfirmed' };
    const request = dispatchRequest({ address, bound, caller, forwarded, idempotencyKey });
    const outcome = await exchange(server, request, {
      maxBytes,
      isReadToEnd: !operation.annotations.readOnly,
      ending: budget,
      onRequest: (incoming) => {
        attachToolCall(incoming, state);
        if (entry.queryPolicy !== undefined) carryQueryPolicy(incoming, entry.queryPolicy);
      },
    });
    if (state.request !== undefined) running.request = state.request;
    if (outcome.kind === 'answered') running.bytes = outcome.answer.body.length;
    if (outcome.kind === 'closed' || statusOf(outcome) >= 500) budget.throwIfSpent(operation.name);
    return outcomeResult(outcome, state, maxBytes);
  }
}

function statusOf(outcome: Exclude<ExchangeOutcome, { kind: 'closed' }>): number {
  return outcome.kind === 'answered' ? outcome.answer.status : outcome.head.status;
}
