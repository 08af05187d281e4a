import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { BootFaults, canonicalDigest, PaletteError, type CallerContext } from '../common/index.js';
import { bindArguments, type BoundArguments } from '../operations/index.js';
import type { Palette, PaletteEntry, ToolCall, ToolResult } from '../palette/index.js';
import { ArgumentChecker } from './arguments/argument-checker.js';
import { parseArguments } from './arguments/parse-arguments.js';
import { argumentsOfOperation } from './arguments/told-arguments.js';
import { OperationAudit, type RunningCall } from './audit/index.js';
import { CallBudget } from './call-budget.js';
import { ApprovalGate, type CallGrant } from './gate/index.js';
import { checkConcurrency, DISPATCH_OPTIONS, type ResolvedDispatchOptions } from './dispatch.options.js';
import { HttpTransport } from './http/http-transport.js';
import { MessageTransport } from './messages/message-transport.js';
import type { DispatchTransport } from './prepared-call.js';
import { refusal, type RefusalContent } from './result/tool-result.js';
import { runSideBySide } from './run-side-by-side.js';
import type { AgentCallInfo } from './tool-call-state.js';

export interface DispatchContext {
  /** What may be called; a name that is not in it is `tool_unknown`. */
  readonly palette: Palette;
  /** On whose behalf: `@Caller()` gives it in a handler. */
  readonly caller: CallerContext;
  /** The approval under which a gated call is to run: the id that its proposal was given. */
  readonly approvalId?: string;
  /** Leave to run it that a run of an agent was given; only `grantCall` makes one. */
  readonly grant?: CallGrant;
  /**
   * The idempotency key of this very call, which reaches the handler as it is: one that a ledger keeps, one of a message that
   * asked for nothing else. Without it each call has a key of its own, derived from that of the caller's request.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The values of a call, by the names of the operation, and each in its place. */
interface FitArguments {
  readonly args: Readonly<Record<string, unknown>>;
  readonly bound: BoundArguments;
  /** The arguments as they were given: what a person who approves them sees. */
  readonly given: Readonly<Record<string, unknown>>;
}

type RunBound = (bound: BoundArguments, idempotencyKey?: string) => Promise<ToolResult>;

/** What a call would be, without running it. */
export type ExaminedCall =
  | { readonly refused: ToolResult }
  | {
      readonly entry: PaletteEntry;
      /** `canonicalDigest` of the arguments as they were given. */
      readonly argumentsHash: string;
      /** Why a person must approve it; empty: nobody has to. */
      readonly reasons: readonly string[];
    };

export interface DispatchAllOptions {
  /** How many calls run side by side. Default: the module's `concurrency`, 8. */
  readonly concurrency?: number;
}

/** Runs tool calls through the application's own pipeline: as requests in memory, or through its message handlers. */
@Injectable()
export class OperationDispatcher {
  readonly #checker = new ArgumentChecker();
  readonly #nesting = new AsyncLocalStorage<number>();

  constructor(
    @Inject(DISPATCH_OPTIONS) private readonly options: ResolvedDispatchOptions,
    private readonly http: HttpTransport,
    private readonly messages: MessageTransport,
    @Inject(OperationAudit) private readonly audit: OperationAudit,
    private readonly gate: ApprovalGate,
  ) {}

  /**
   * Runs one tool call. What the model can act on (unknown tool, unfit arguments, 4xx of the application) is a result with
   * `isError`; what it cannot is thrown.
   *
   * @throws DispatchError `operation_unauthenticated` (401: the host's to solve), `operation_failed` (5xx, a broken
   *   answer), `operation_redirected`, `deadline_exceeded`, `dispatch_cancelled`, `dispatch_without_http`,
   *   `dispatch_before_init`, `operation_unconnected`, `operation_enhancers_skipped`, `approval_gate_failed`
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
   * does not take the others' results with it. A key of one call cannot be that of several: each has its own.
   *
   * @throws PaletteBootError `dispatch_options_invalid`: nothing has run then
   */
  async dispatchAll(
    calls: readonly ToolCall[],
    context: Omit<DispatchContext, 'idempotencyKey'>,
    options: DispatchAllOptions = {},
  ): Promise<PromiseSettledResult<ToolResult>[]> {
    const { concurrency = this.options.concurrency } = options;
    const faults = new BootFaults();
    checkConcurrency(concurrency, faults);
    faults.throwIfAny();
    const each = { ...context, idempotencyKey: undefined };
    return runSideBySide(
      calls.map((call) => () => this.dispatch(call, each)),
      concurrency,
    );
  }

  /**
   * Looks at a call as `dispatch` would before it runs anything: is there such a tool, do the arguments fit, must a person
   * approve?
   * @throws DispatchError `approval_gate_failed`
   */
  async examine(call: ToolCall, { palette, caller }: DispatchContext): Promise<ExaminedCall> {
    const entry = palette.entry(call.name);
    if (entry === undefined) return { refused: refusal(call.id, 'tool_unknown') };
    const fit = this.#bind(call, entry);
    if ('isError' in fit) return { refused: fit };
    const reasons = await this.gate.reasons(entry, fit.args, caller);
    return { entry, argumentsHash: canonicalDigest(fit.given), reasons };
  }

  async #dispatch(call: ToolCall, context: DispatchContext, running: RunningCall): Promise<ToolResult> {
    const entry = context.palette.entry(call.name);
    if (entry === undefined) return refusal(call.id, 'tool_unknown');
    running.operation = entry.operation.name;
    const { maxDepth } = this.options;
    const depth = (this.#nesting.getStore() ?? 0) + 1;
    if (depth > maxDepth) return refusal(call.id, 'dispatch_recursion', { parameters: { maxDepth } });
    const fit = this.#bind(call, entry);
    if ('isError' in fit) return fit;
    const own = ownKey(call, fit.given, context);
    const run: RunBound = (bound, key = own) => this.#run(call, entry, bound, context, key, running, depth);
    const isFree = entry.approvalRules.length === 0 && context.approvalId === undefined;
    return isFree ? run(fit.bound) : this.#gated(call, entry, fit, context, run);
  }

  /** Runs a call that may need a person's approval: not at all, or as whoever keeps approvals admits it. */
  async #gated(
    call: ToolCall,
    entry: PaletteEntry,
    { args, bound, given }: FitArguments,
    { caller, palette, approvalId, grant }: DispatchContext,
    run: RunBound,
  ): Promise<ToolResult> {
    const reasons = await this.gate.reasons(entry, args, caller);
    // What was proposed is run as what was proposed, also where no rule concerns it any more: once.
    if (reasons.length === 0 && approvalId === undefined) return run(bound);
    const argumentsHash = canonicalDigest(given);
    const asked = { call, entry, args, argumentsHash, reasons, palette: palette.name, caller, approvalId };
    const admission = await this.gate.admit(asked, grant);
    if (admission === undefined) return run(bound);
    if (admission.kind === 'answered') return admission.result;
    return admission.run(async (idempotencyKey) => {
      const edited = admission.arguments;
      const fit = edited === undefined ? { bound } : this.#bind({ ...call, arguments: edited }, entry);
      return 'isError' in fit ? fit : run(fit.bound, idempotencyKey);
    });
  }

  async #run(
    call: ToolCall,
    entry: PaletteEntry,
    bound: BoundArguments,
    { caller, palette }: DispatchContext,
    idempotencyKey: string | undefined,
    running: RunningCall,
    depth: number,
  ): Promise<ToolResult> {
    const { operation } = entry;
    const budget = new CallBudget(this.options.timeoutMs, caller.deadline, caller.signal);
    const transport: DispatchTransport = operation.route === undefined ? this.messages : this.http;
    try {
      budget.throwIfEnded(operation.name);
      const info = callInfo(call, palette, entry, depth, budget.deadline);
      const prepared = { entry, operation, bound, info, caller, idempotencyKey, budget, running };
      return await this.#nesting.run(depth, () => transport.run(prepared));
    } finally {
      budget.release();
    }
  }

  /** The call's values, each in its place, or its refusal. Nothing has run by then. */
  #bind(call: ToolCall, entry: PaletteEntry): FitArguments | ToolResult {
    const { operation } = entry;
    const parsed = parseArguments(call.arguments, this.options.maxArgumentBytes);
    if ('code' in parsed) {
      return refusal(call.id, parsed.code, {
        parameters: { maxBytes: this.options.maxArgumentBytes },
        ...('faults' in parsed ? { details: parsed.faults } : {}),
      });
    }
    const args = argumentsOfOperation(entry, parsed.args, parsed.hasNull);
    const refused = this.#checker.check(operation, args);
    if (refused !== undefined) return refusal(call.id, refused.code, { details: refused.faults });
    const binding = bindArguments(operation.input, args);
    return 'faults' in binding
      ? refusal(call.id, 'tool_arguments_invalid', { details: binding.faults })
      : { args, bound: binding.bound, given: parsed.args };
  }
}

/**
 * The key of a call: its own, or one that the same call of the same request has each time. That of the request itself is not
 * it: two charges of one turn would look like one charge that was repeated.
 */
function ownKey(
  { id, name }: ToolCall,
  args: unknown,
  { idempotencyKey, caller }: DispatchContext,
): string | undefined {
  if (idempotencyKey !== undefined || caller.idempotencyKey === undefined) return idempotencyKey;
  return canonicalDigest([caller.idempotencyKey, id, name, args]);
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
