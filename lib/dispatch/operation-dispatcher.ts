import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { CallerContext } from '../common/index.js';
import { OperationAddresses } from '../operations/index.js';
import { carryQueryPolicy } from '../query/index.js';
import type { Palette, PaletteEntry, ToolCall, ToolResult } from '../palette/index.js';
import { ArgumentChecker } from './arguments/argument-checker.js';
import { parseArguments } from './arguments/parse-arguments.js';
import { CallBudget } from './call-budget.js';
import { DispatchError } from './dispatch-error.js';
import type { ResolvedDispatchOptions } from './dispatch.options.js';
import { dispatchRequest, type BuiltRequest } from './dispatch-request.js';
import { exchange, type ExchangeOutcome } from './exchange/exchange.js';
import { ApplicationHttpServer } from './http-server.js';
import { answerContent, hostErrorCode, refusal, refusedByApplication } from './result/tool-result.js';
import { attachToolCall, type AgentCallInfo, type ToolCallState } from './tool-call-state.js';

export const DISPATCH_OPTIONS = Symbol.for('nestjs-palette:dispatch:DISPATCH_OPTIONS');

export interface DispatchContext {
  /** What may be called; a name that is not in it is `tool_unknown`. */
  readonly palette: Palette;
  /** On whose behalf: `@Caller()` gives it in a handler. */
  readonly caller: CallerContext;
}

/** Runs tool calls: each one is a request through the application's own HTTP pipeline, in memory. */
@Injectable()
export class OperationDispatcher {
  readonly #checker = new ArgumentChecker();
  readonly #nesting = new AsyncLocalStorage<number>();

  constructor(
    @Inject(DISPATCH_OPTIONS) private readonly options: ResolvedDispatchOptions,
    private readonly addresses: OperationAddresses,
    private readonly http: ApplicationHttpServer,
  ) {}

  /**
   * Runs one tool call. What the model can act on (unknown tool, unfit arguments, 4xx of the application) is a result with
   * `isError`; what it cannot is thrown.
   *
   * @throws DispatchError `operation_unauthenticated` (401: the host's to solve), `operation_failed` (5xx, a broken
   *   answer), `operation_redirected`, `operation_identity_mismatch`, `deadline_exceeded`, `dispatch_cancelled`,
   *   `dispatch_without_http`, `dispatch_before_init`
   */
  async dispatch(call: ToolCall, context: DispatchContext): Promise<ToolResult> {
    const entry = context.palette.entry(call.name);
    if (entry === undefined) return refusal(call.id, 'tool_unknown');
    const depth = (this.#nesting.getStore() ?? 0) + 1;
    if (depth > this.options.maxDepth) {
      return refusal(call.id, 'dispatch_recursion', { parameters: { maxDepth: this.options.maxDepth } });
    }
    const built = await this.#build(call, entry, context.caller);
    if ('isError' in built) return built;
    const budget = new CallBudget(this.options.timeoutMs, context.caller.deadline, context.caller.signal);
    try {
      const info = callInfo(call, context.palette, entry, depth, budget.deadline);
      return await this.#run(built, info, entry, budget);
    } finally {
      budget.release();
    }
  }

  async #build(call: ToolCall, entry: PaletteEntry, caller: CallerContext): Promise<BuiltRequest | ToolResult> {
    const { operation } = entry;
    const parsed = parseArguments(call.arguments, this.options.maxArgumentBytes);
    if ('code' in parsed) {
      return refusal(call.id, parsed.code, {
        parameters: { maxBytes: this.options.maxArgumentBytes },
        ...('faults' in parsed ? { details: parsed.faults } : {}),
      });
    }
    const refused = this.#checker.check(operation, parsed.args);
    if (refused !== undefined) return refusal(call.id, refused.code, { details: refused.faults });
    const address = this.addresses.addressOf(operation);
    if (address === undefined) throw new DispatchError('dispatch_before_init', { operation: operation.name });
    const forwarded = this.options.forwardHeaders;
    const built = dispatchRequest({ operation, address, caller, forwarded }, parsed.args);
    return 'faults' in built ? refusal(call.id, 'tool_arguments_invalid', { details: built.faults }) : built;
  }

  async #run(built: BuiltRequest, info: AgentCallInfo, entry: PaletteEntry, budget: CallBudget): Promise<ToolResult> {
    const { operation } = entry;
    if (budget.endedBy !== undefined) throw this.#ended(budget, operation.name);
    const server = await this.http.server(operation.name);
    const state: ToolCallState = { info, operation, typedQuery: built.typedQuery, identity: 'unconfirmed' };
    const outcome = await this.#nesting.run(info.depth, () =>
      exchange(server, built.request, {
        maxBytes: this.options.maxResultBytes,
        signal: budget.signal,
        onRequest: (request) => {
          attachToolCall(request, state);
          if (entry.queryPolicy !== undefined) carryQueryPolicy(request, entry.queryPolicy);
        },
      }),
    );
    if (budget.endedBy !== undefined && outcome.kind === 'closed') throw this.#ended(budget, operation.name);
    return this.#result(outcome, state);
  }

  #result(outcome: ExchangeOutcome, state: ToolCallState): ToolResult {
    const { info, operation } = state;
    const { toolCallId } = info;
    if (state.identity === 'mismatched') return refusal(toolCallId, 'operation_identity_mismatch');
    if (outcome.kind === 'too_large') {
      return refusal(toolCallId, 'tool_result_too_large', { parameters: { maxBytes: this.options.maxResultBytes } });
    }
    if (outcome.kind === 'closed') throw new DispatchError('operation_failed', { operation: operation.name });
    const { answer } = outcome;
    const { status } = answer;
    const hostCode = hostErrorCode(status);
    if (hostCode !== undefined) {
      throw new DispatchError(hostCode, { operation: operation.name, upstreamStatus: status });
    }
    if (status >= 400) return refusedByApplication(toolCallId, answer);
    // Something in front of the handler answered in its place: the answer is not the operation's.
    if (state.identity === 'unconfirmed') return refusal(toolCallId, 'operation_identity_mismatch');
    return { toolCallId, isError: false, content: answerContent(answer) };
  }

  #ended(budget: CallBudget, operation: string): DispatchError {
    return budget.endedBy === 'caller'
      ? new DispatchError('dispatch_cancelled', { operation })
      : new DispatchError('deadline_exceeded', { operation, parameters: { timeoutMs: this.options.timeoutMs } });
  }
}

function callInfo(
  call: ToolCall,
  palette: Palette,
  entry: PaletteEntry,
  depth: number,
  deadline: number,
): AgentCallInfo {
  return Object.freeze({
    palette: palette.name,
    toolName: call.name,
    toolCallId: call.id,
    operation: entry.operation.name,
    depth,
    deadline,
  });
}
