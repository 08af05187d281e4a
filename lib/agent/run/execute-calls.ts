import {
  editedResult,
  endingOfError,
  endingOfResult,
  endedResult,
  type CallEnding,
  type CallRecord,
  type CallResult,
} from '../../approvals/index.js';
import { errorMessage } from '../../common/index.js';
import { DispatchError, refusal, runSideBySide } from '../../dispatch/index.js';
import type { ToolResult } from '../../palette/index.js';
import type { ToolSpan } from '../../telemetry/index.js';
import { AgentError } from '../agent-error.js';
import type { AgentTool, Toolbox } from '../tools/index.js';
import type { RunContext } from './run-context.js';
import { isLeft } from './run-left.js';
import { timeLimit, untilAborted } from './time-limit.js';
import { startToolSpan } from './tool-span.js';

export interface CallExecution {
  readonly context: RunContext;
  readonly toolbox: Toolbox;
  readonly fence: number;
  /** Ends the calls: the run was cancelled, is left, or is out of time. */
  readonly signal: AbortSignal;
}

export interface ExecutedCalls {
  /** By the call's id, of those that ran here. */
  readonly results: ReadonlyMap<string, CallResult>;
  /** The first thing that was thrown and that the model cannot act on. */
  readonly fault: unknown;
}

/** Runs calls that are ready, side by side. Each is claimed first, and only whoever got the claim runs it. */
export async function executeCalls(calls: readonly CallRecord[], execution: CallExecution): Promise<ExecutedCalls> {
  const results = new Map<string, CallResult>();
  let fault: unknown;
  const tasks = calls.map((call) => async (): Promise<void> => {
    const ended = await new CallRun(call, execution).run();
    if (ended === undefined) return;
    results.set(call.callId, ended.result);
    fault ??= ended.fault;
  });
  const outcomes = await runSideBySide(tasks, execution.context.limits.toolConcurrency);
  // The store failed: nothing more can be said of that call here.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return { results, fault };
}

type Ended = CallEnding & { readonly fault?: unknown };

/** Takes a transaction back, and keeps what was answered; undefined: nothing that counts, since the call is another's now. */
class TakenBack extends Error {
  constructor(readonly ended: Ended | undefined) {
    super('the call did not succeed');
  }
}

class CallRun {
  constructor(
    private readonly call: CallRecord,
    private readonly execution: CallExecution,
  ) {}

  /** Undefined where somebody else took the call, or is to take it. */
  async run(): Promise<Ended | undefined> {
    const { fence, toolbox, context, signal } = this.execution;
    const { store } = context;
    // Told to end before it was begun: whoever ends the run withdraws it.
    if (signal.aborted) return undefined;
    const call = await store.claimCall(this.call.conversationId, this.call.callId, fence);
    if (call === undefined) return undefined;
    const tool = toolbox.tool(call.toolName);
    if (tool === undefined) return this.#settled(endingOfResult(refusal(call.toolCallId, 'tool_unknown')));
    const span = await startToolSpan(call, tool, context);
    const ended = await span.run(() =>
      isTransactional(tool, context) ? this.#together(call, tool) : this.#alone(call, tool),
    );
    endSpan(span, ended ?? { state: 'unknown', result: endedResult('unknown') });
    return ended;
  }

  async #alone(call: CallRecord, tool: AgentTool): Promise<Ended | undefined> {
    const ended = await this.#attempt(call, tool);
    return ended && this.#settled(ended);
  }

  /** Effect and settlement in one transaction; nothing stays of a call that does not succeed. */
  async #together(call: CallRecord, tool: AgentTool): Promise<Ended | undefined> {
    const { store } = this.execution.context;
    const work = async (): Promise<Ended> => {
      const ended = await this.#attempt(call, tool);
      if (ended?.state !== 'succeeded') throw new TakenBack(ended);
      if (!(await store.settleCall({ ...this.#place, ...ended }))) throw new TakenBack(undefined);
      return ended;
    };
    try {
      return await (store.transaction as NonNullable<typeof store.transaction>)(work);
    } catch (error) {
      if (error instanceof TakenBack) return error.ended === undefined ? this.#kept() : this.#settled(error.ended);
      // Also where it is not known whether the transaction was committed: the ledger knows, and was committed with it.
      return this.#settled({ ...endingOfError(error, call.isRepeatable), fault: error });
    }
  }

  async #settled(ended: Ended): Promise<Ended | undefined> {
    const { state, result } = ended;
    const isSettled = await this.execution.context.store.settleCall({ ...this.#place, state, result });
    return isSettled ? ended : this.#kept();
  }

  /** How the ledger says that the call ended; undefined where it is another's now, and has not. */
  async #kept(): Promise<Ended | undefined> {
    const { conversationId, callId, runId, step } = this.call;
    const calls = await this.execution.context.store.calls(conversationId, { runId, step });
    const settled = calls.find((call) => call.callId === callId)?.result;
    return settled && { ...endingOfResult(settled) };
  }

  get #place(): { readonly conversationId: string; readonly callId: string; readonly fence: number } {
    const { conversationId, callId } = this.call;
    return { conversationId, callId, fence: this.execution.fence };
  }

  /** Undefined where it did not end before the run was left: whoever goes on claims it again, or finds that nobody knows. */
  async #attempt(call: CallRecord, tool: AgentTool): Promise<Ended | undefined> {
    const { context, signal } = this.execution;
    const ms = tool.timeoutMs ?? context.limits.timeouts.toolMs;
    const limit = timeLimit(context.clock, signal, ms, 'one call of a tool');
    try {
      const running = this.#run(call, tool, limit.signal);
      return { ...endingOfResult(told(call, await this.#untilGiven(running, limit.signal))) };
    } catch (error) {
      if (!limit.signal.aborted) return this.#thrown(call, error);
      if (isLeft(signal)) return undefined;
      return signal.aborted ? cancelled(call) : timedOut(call, ms ?? 0);
    } finally {
      limit.end();
    }
  }

  /** A call that ran out of the dispatcher's time is told to the model; what else is thrown ends the run. */
  #thrown(call: CallRecord, error: unknown): Ended {
    const { caller, clock } = this.execution.context;
    const ended = endingOfError(error, call.isRepeatable);
    const isLate = DispatchError.isInstance(error) && error.code === 'deadline_exceeded';
    return isLate && clock.now() < (caller.deadline ?? Infinity) ? ended : { ...ended, fault: error };
  }

  #run(call: CallRecord, tool: AgentTool, signal: AbortSignal): Promise<ToolResult> {
    const { caller, principal, isStored } = this.execution.context;
    const asked = { id: call.toolCallId, name: call.toolName, arguments: call.arguments };
    return tool.run(asked, {
      caller: { ...caller, signal, idempotencyKey: call.idempotencyKey },
      principal,
      agent: call.agent,
      conversationId: isStored ? call.conversationId : undefined,
      approvedHash: call.approvalId === undefined ? undefined : call.argumentsHash,
    });
  }

  /** The call's own end; once it is told to end, no longer than the time of grace. */
  async #untilGiven(running: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
    try {
      return await untilAborted(running, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const { clock, limits } = this.execution.context;
      const grace = timeLimit(clock, new AbortController().signal, limits.graceMs, 'the time of grace');
      try {
        return await untilAborted(running, grace.signal);
      } finally {
        grace.end();
      }
    }
  }
}

function isTransactional({ isTransactional: wants }: AgentTool, { store }: RunContext): boolean {
  return wants && store.transaction !== undefined;
}

function told({ toolCallId, originalArguments, arguments: text }: CallRecord, result: ToolResult): CallResult {
  return originalArguments === undefined ? result : editedResult({ ...result, toolCallId }, text);
}

function timedOut({ isRepeatable }: CallRecord, ms: number): Ended {
  if (!isRepeatable) return { state: 'unknown', result: endedResult('unknown') };
  const content = { code: 'tool_timed_out', message: errorMessage('tool_timed_out', { ms }) };
  return { state: 'failed', result: { isError: true, content } };
}

/** It was claimed: whatever it does may be done. */
function cancelled({ isRepeatable }: CallRecord): Ended {
  if (!isRepeatable) return { state: 'unknown', result: endedResult('unknown') };
  return { state: 'cancelled', result: endedResult('interrupted') };
}

function endSpan(span: ToolSpan, { result, fault }: Ended): void {
  if (fault !== undefined) return span.fail(AgentError.isInstance(fault) ? (fault.cause ?? fault) : fault);
  const { code } = result.isError ? (result.content as { code?: string }) : {};
  span.end({ errorCode: code, result: result.content });
}
