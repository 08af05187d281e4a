import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { PaletteError, type CallerContext } from '../common/index.js';
import { OperationAddresses } from '../operations/index.js';
import type { Palette, PaletteEntry, ToolCall, ToolResult } from '../palette/index.js';
import { carryQueryPolicy } from '../query/index.js';
import { ArgumentChecker } from './arguments/argument-checker.js';
import { parseArguments } from './arguments/parse-arguments.js';
import { OperationAudit, type RunningCall } from './audit/index.js';
import { CallBudget } from './call-budget.js';
import { DispatchError } from './dispatch-error.js';
import { DISPATCH_OPTIONS, type ResolvedDispatchOptions } from './dispatch.options.js';
import { dispatchRequest, type BuiltRequest } from './dispatch-request.js';
import { exchange } from './exchange/exchange.js';
import { ApplicationHttpServer } from './http-server.js';
import { outcomeResult } from './result/outcome-result.js';
import { refusal, type RefusalContent } from './result/tool-result.js';
import { runSideBySide } from './run-side-by-side.js';
import { attachToolCall, type AgentCallInfo, type ToolCallState } from './tool-call-state.js';

export interface DispatchContext {
  /** What may be called; a name that is not in it is `tool_unknown`. */
  readonly palette: Palette;
  /** On whose behalf: `@Caller()` gives it in a handler. */
  readonly caller: CallerContext;
}

export interface DispatchAllOptions {
  /** How many calls run side by side. Default: the module's `concurrency`, 8. */
  readonly concurrency?: number;
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
    @Inject(OperationAudit) private readonly audit: OperationAudit,
  ) {}

  /**
   * Runs one tool call. What the model can act on (unknown tool, unfit arguments, 4xx of the application) is a result with
   * `isError`; what it cannot is thrown.
   *
   * @throws DispatchError `operation_unauthenticated` (401: the host's to solve), `operation_failed` (5xx, a broken
   *   answer), `operation_redirected`, `deadline_exceeded`, `dispatch_cancelled`, `dispatch_without_http`,
   *   `dispatch_before_init`
   */
  async dispatch(call: ToolCall, context: DispatchContext): Promise<ToolResult> {
    const running: RunningCall = { surface: 'tool', palette: context.palette.name, toolCallId: call.id, bytes: 0 };
    const end = this.audit.begin(running);
    try {
      const result = await this.#dispatch(call, context, running);
      end(result.isError ? (result.content as RefusalContent).code : 'ok');
      return result;
    } catch (error) {
      end(PaletteError.isInstance(error) ? error.code : 'operation_failed');
      throw error;
    }
  }

  /**
   * Runs the parallel calls of one turn. Outcomes are in the order of the calls, and each call has one: a call that throws
   * does not take the others' results with it.
   */
  dispatchAll(
    calls: readonly ToolCall[],
    context: DispatchContext,
    options: DispatchAllOptions = {},
  ): Promise<PromiseSettledResult<ToolResult>[]> {
    const tasks = calls.map((call) => () => this.dispatch(call, context));
    return runSideBySide(tasks, options.concurrency ?? this.options.concurrency);
  }

  async #dispatch(call: ToolCall, context: DispatchContext, running: RunningCall): Promise<ToolResult> {
    const entry = context.palette.entry(call.name);
    if (entry === undefined) return refusal(call.id, 'tool_unknown');
    running.operation = entry.operation.name;
    const { maxDepth, timeoutMs } = this.options;
    const depth = (this.#nesting.getStore() ?? 0) + 1;
    if (depth > maxDepth) return refusal(call.id, 'dispatch_recursion', { parameters: { maxDepth } });
    const built = await this.#build(call, entry, context.caller);
    if ('isError' in built) return built;
    const budget = new CallBudget(timeoutMs, context.caller.deadline, context.caller.signal);
    try {
      const info = callInfo(call, context.palette, entry, depth, budget.deadline);
      return await this.#run(built, info, entry, budget, running);
    } finally {
      budget.release();
    }
  }

  /** The request that a call stands for, or its refusal. Nothing has run by then. */
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

  async #run(
    built: BuiltRequest,
    info: AgentCallInfo,
    entry: PaletteEntry,
    budget: CallBudget,
    running: RunningCall,
  ): Promise<ToolResult> {
    const { operation } = entry;
    budget.throwIfEnded(operation.name);
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
    if (state.request !== undefined) running.request = state.request;
    if (outcome.kind === 'answered') running.bytes = outcome.answer.body.length;
    else budget.throwIfEnded(operation.name);
    return outcomeResult(outcome, state, this.options.maxResultBytes);
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
