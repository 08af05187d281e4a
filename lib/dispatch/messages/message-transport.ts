import { Inject, Injectable } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import type { ToolResult } from '../../palette/index.js';
import { DispatchError } from '../dispatch-error.js';
import { DISPATCH_OPTIONS, type ResolvedDispatchOptions } from '../dispatch.options.js';
import { forwardedHeaders } from '../http/request-headers.js';
import type { DispatchTransport, PreparedCall } from '../prepared-call.js';
import { refusal } from '../result/tool-result.js';
import { attachToolCall, type ToolCallState } from '../tool-call-state.js';
import { refusedByHandler } from './message-refusal.js';
import { MessageServers, type MessageHandler } from './message-servers.js';
import { ToolCallContext } from './tool-call-context.js';

/** Runs a tool call through Nest's own handler of a message pattern: guards, pipes, interceptors and filters decide. */
@Injectable()
export class MessageTransport implements DispatchTransport {
  constructor(
    @Inject(DISPATCH_OPTIONS) private readonly options: ResolvedDispatchOptions,
    private readonly servers: MessageServers,
  ) {}

  async run({ operation, bound, info, caller, idempotencyKey, budget, running }: PreparedCall): Promise<ToolResult> {
    const handler = this.servers.handlerOf(operation);
    if (handler === undefined) throw new DispatchError('operation_unconnected', { operation: operation.name });
    const headers = forwardedHeaders(caller, this.options.forwardHeaders, idempotencyKey);
    const context = new ToolCallContext(headers, info, budget.signal, caller.remoteAddress);
    const { needsGlobalEnhancers } = this.servers;
    const state: ToolCallState = {
      info,
      operation,
      typedQuery: undefined,
      identity: 'unconfirmed',
      needsGlobalEnhancers,
    };
    attachToolCall(context, state);
    running.request = context;
    const outcome = await settle(handler, bound.body ?? {}, context);
    if (state.areEnhancersSkipped) {
      throw new DispatchError('operation_enhancers_skipped', { operation: operation.name });
    }
    budget.throwIfEnded(operation.name);
    if (state.refusedAs !== undefined) return refusal(info.toolCallId, state.refusedAs);
    if ('error' in outcome) return refusedByHandler(info.toolCallId, operation.name, outcome.error);
    if (state.identity !== 'confirmed') return refusal(info.toolCallId, 'operation_identity_mismatch');
    return this.#answer(info.toolCallId, outcome.value, running);
  }

  #answer(toolCallId: string, value: unknown, running: PreparedCall['running']): ToolResult {
    const text = JSON.stringify(value ?? {});
    const { maxResultBytes: maxBytes } = this.options;
    running.bytes = Buffer.byteLength(text);
    if (running.bytes > maxBytes) return refusal(toolCallId, 'tool_result_too_large', { parameters: { maxBytes } });
    return { toolCallId, isError: false, content: JSON.parse(text) as unknown };
  }
}

type Settled = { readonly value: unknown } | { readonly error: unknown };

/** Waits for the handler's last value, no longer than the call may take. */
async function settle(handler: MessageHandler, data: unknown, context: ToolCallContext): Promise<Settled> {
  const { signal } = context;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<Settled>((resolve) => {
    onAbort = () => resolve({ value: undefined });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([handled(handler, data, context), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function handled(handler: MessageHandler, data: unknown, context: ToolCallContext): Promise<Settled> {
  try {
    const answer = await handler(data, context);
    return { value: isObservable(answer) ? await lastValueFrom(answer, { defaultValue: undefined }) : answer };
  } catch (error) {
    return { error };
  }
}
