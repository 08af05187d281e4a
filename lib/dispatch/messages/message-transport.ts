import { Inject, Injectable } from '@nestjs/common';
import { isObservable, lastValueFrom, Observable, takeUntil } from 'rxjs';
import type { OperationDescriptor } from '../../operations/index.js';
import type { ToolResult } from '../../palette/index.js';
import type { CallBudget } from '../call-budget.js';
import { DispatchError } from '../dispatch-error.js';
import { DISPATCH_OPTIONS, type ResolvedDispatchOptions } from '../dispatch.options.js';
import { forwardedHeaders } from '../http/request-headers.js';
import type { DispatchTransport, PreparedCall } from '../prepared-call.js';
import { refusal, tooLarge } from '../result/tool-result.js';
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
    const outcome = await settle(handler, bound.body ?? {}, context, budget);
    if (state.areEnhancersSkipped) {
      throw new DispatchError('operation_enhancers_skipped', { operation: operation.name });
    }
    budget.throwIfEnded(operation.name);
    if (state.refusedAs !== undefined) return refusal(info.toolCallId, state.refusedAs);
    if ('error' in outcome) return refusedByHandler(info.toolCallId, operation.name, outcome.error);
    if (state.identity !== 'confirmed') return refusal(info.toolCallId, 'operation_identity_mismatch');
    return this.#answer(info.toolCallId, operation, outcome.value, running);
  }

  #answer(
    toolCallId: string,
    { name, annotations }: OperationDescriptor,
    value: unknown,
    running: PreparedCall['running'],
  ): ToolResult {
    const text = jsonOf(value, name);
    const { maxResultBytes: maxBytes } = this.options;
    running.bytes = Buffer.byteLength(text);
    if (running.bytes > maxBytes) return tooLarge(toolCallId, annotations, maxBytes);
    return { toolCallId, isError: false, content: JSON.parse(text) as unknown };
  }
}

/**
 * Nothing is `{}`.
 *
 * @throws DispatchError `operation_failed` where the handler answered with what is no JSON: a BigInt, a circle
 */
function jsonOf(value: unknown, operation: string): string {
  try {
    return (JSON.stringify(value ?? {}) as string | undefined) ?? '{}';
  } catch (cause) {
    throw new DispatchError('operation_failed', { operation, cause });
  }
}

type Settled = { readonly value: unknown } | { readonly error: unknown };

/** Waits for the handler's last value, no longer than the call may take. */
async function settle(
  handler: MessageHandler,
  data: unknown,
  context: ToolCallContext,
  budget: CallBudget,
): Promise<Settled> {
  let letGo: (() => void) | undefined;
  const ended = new Promise<Settled>((resolve) => {
    letGo = budget.onEnd(() => resolve({ value: undefined }));
  });
  try {
    return await Promise.race([handled(handler, data, context, budget), ended]);
  } finally {
    letGo?.();
  }
}

async function handled(
  handler: MessageHandler,
  data: unknown,
  context: ToolCallContext,
  budget: CallBudget,
): Promise<Settled> {
  try {
    const answer = await handler(data, context);
    if (!isObservable(answer)) return { value: answer };
    // What nobody waits for any more is not begun, and goes no further: Nest runs the handler when it is subscribed to.
    if (budget.hasEnded) return { value: undefined };
    return { value: await lastValueFrom(answer.pipe(takeUntil(endOf(budget))), { defaultValue: undefined }) };
  } catch (error) {
    return { error };
  }
}

function endOf(budget: CallBudget): Observable<void> {
  return new Observable((subscriber) => budget.onEnd(() => subscriber.next()));
}
