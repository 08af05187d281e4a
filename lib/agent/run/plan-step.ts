import { type ApprovalDrafts, type NewApproval, type NewCall, type Proposal } from '../../approvals/index.js';
import { canonicalDigest, type CallerContext } from '../../common/index.js';
import type { ApprovalRequestItem, AssistantMessageItem, JournalToolCall } from '../../conversations/index.js';
import { refusal } from '../../dispatch/index.js';
import type { ToolResult } from '../../palette/index.js';
import { AgentError } from '../agent-error.js';
import type { ModelReply, ModelToolCall } from '../model/index.js';
import type { AgentTool, ExaminedToolCall, Toolbox } from '../tools/index.js';
import type { RunLimits } from './run-limits.js';
import { edgeOf, type OpenRun } from './run-state.js';

export interface StepPlan {
  readonly run: OpenRun;
  /** From 1. */
  readonly step: number;
  readonly conversationId: string;
  readonly reply: ModelReply;
  readonly toolbox: Toolbox;
  readonly limits: RunLimits;
  readonly caller: CallerContext;
  /** Whether effects can commit together with the ledger. */
  readonly hasTransactions: boolean;
  /** Undefined where nobody keeps approvals. */
  readonly drafts: ApprovalDrafts | undefined;
}

/** A call, and what is to become of it. */
interface PlannedCall {
  readonly call: NewCall;
  readonly approval: NewApproval | undefined;
}

/** The reply as the journal keeps it. */
export function assistantItem({ run, step, reply }: Pick<StepPlan, 'run' | 'step' | 'reply'>): AssistantMessageItem {
  const { text, toolCalls, finishReason, model, usage, refusal: declined, reasoning, providerState } = reply;
  return {
    type: 'assistant_message',
    runId: run.runId,
    step,
    agent: run.agent,
    // What was declined is said: a message may not say nothing.
    text: text === '' && toolCalls.length === 0 ? (declined ?? '') : text,
    toolCalls: toolCalls.map((call, index) => journalCall(run, step, call, index)),
    finishReason,
    model,
    usage,
    ...(declined !== undefined && { refusal: declined }),
    ...(reasoning !== undefined && { reasoning }),
    ...(providerState !== undefined && { providerState }),
  };
}

/**
 * What a step proposes: the reply, a row for each call, an approval for each gated one.
 * @throws AgentError `agent_gate_missing`; DispatchError `approval_gate_failed`
 */
export async function planStep(plan: StepPlan): Promise<Pick<Proposal, 'items' | 'calls' | 'approvals'>> {
  const message = assistantItem(plan);
  const refused = refusedBefore(plan);
  const planned = await Promise.all(
    message.toolCalls.map((call, index) => plannedCall(plan, call, index, refused.get(index))),
  );
  const approvals = planned.flatMap(({ approval }) => approval ?? []);
  return {
    items: [message, ...planned.flatMap(requestItem)],
    calls: planned.map(({ call }) => call),
    approvals,
  };
}

function journalCall({ runId }: OpenRun, step: number, call: ModelToolCall, index: number): JournalToolCall {
  return {
    callId: `${runId}-${step}-${index}`,
    toolCallId: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    ...(call.fault !== undefined && { fault: call.fault }),
  };
}

/** Calls that are refused for what else is called in this run, by their place. */
function refusedBefore({ run, reply, toolbox, limits }: StepPlan): ReadonlyMap<number, ToolResult> {
  const refused = new Map<number, ToolResult>();
  const { toolCalls: limit } = limits.budget;
  const left = limit === undefined ? Infinity : limit - run.usage.toolCalls;
  let isTransferred = false;
  reply.toolCalls.forEach(({ id, name, fault }, index) => {
    const target = toolbox.transferTarget(name);
    if (index >= left) refused.set(index, refusal(id, 'tool_calls_exhausted'));
    else if (target === undefined || fault !== undefined) return;
    else if (isTransferred) refused.set(index, refusal(id, 'handoff_ignored'));
    else if ((run.handoffs[edgeOf(run.agent, target)] ?? 0) >= limits.maxHandoffs) {
      refused.set(index, refusal(id, 'handoff_limit', { parameters: { limit: limits.maxHandoffs } }));
    } else isTransferred = true;
  });
  return refused;
}

async function plannedCall(
  plan: StepPlan,
  call: JournalToolCall,
  index: number,
  refused: ToolResult | undefined,
): Promise<PlannedCall> {
  const tool = plan.toolbox.tool(call.name);
  const examined = refused === undefined ? await examinedCall(plan, call, index, tool) : { refused };
  if ('refused' in examined || tool === undefined) {
    const content = 'refused' in examined ? examined.refused.content : undefined;
    const row = newCall(plan, call, index, canonicalDigest(JSON.parse(call.arguments)));
    return { call: { ...row, state: 'failed', result: { isError: true, content } }, approval: undefined };
  }
  const { argumentsHash, reasons } = examined;
  const isRepeatable = tool.isRepeatable || (tool.isTransactional && plan.hasTransactions);
  const row = { ...newCall(plan, call, index, argumentsHash), isRepeatable };
  if (reasons.length === 0) return { call: { ...row, state: 'ready' }, approval: undefined };
  return { call: { ...row, state: 'waiting' }, approval: drafted(plan, call, tool, reasons) };
}

async function examinedCall(
  { reply, caller }: StepPlan,
  call: JournalToolCall,
  index: number,
  tool: AgentTool | undefined,
): Promise<ExaminedToolCall> {
  if (call.fault !== undefined) return { refused: unreadable(call) };
  if (tool === undefined) return { refused: refusal(call.toolCallId, 'tool_unknown') };
  return tool.examine({ id: call.toolCallId, name: call.name, arguments: reply.toolCalls[index]?.arguments }, caller);
}

function newCall(
  { run, step, conversationId }: StepPlan,
  { callId, toolCallId, name, arguments: text }: JournalToolCall,
  index: number,
  argumentsHash: string,
): Omit<NewCall, 'state'> {
  const { runId, agent } = run;
  return {
    callId,
    runId,
    step,
    index,
    agent,
    toolCallId,
    toolName: name,
    arguments: text,
    argumentsHash,
    idempotencyKey: canonicalDigest([conversationId, runId, `${step}.${index}`, name, argumentsHash]),
    isRepeatable: true,
  };
}

function drafted(
  { run, drafts }: StepPlan,
  { callId, name }: JournalToolCall,
  { operation }: AgentTool,
  reasons: readonly string[],
): NewApproval {
  // What is known to be gated was refused before the run.
  if (drafts === undefined)
    throw new AgentError('agent_gate_missing', { parameters: { agent: run.agent, tool: name } });
  return drafts.draft({ callId, operation, reasons, requester: run.principal });
}

const PROBLEMS = {
  not_json: 'are not JSON',
  not_an_object: 'must be one JSON object',
  too_deep: 'are nested too deeply',
} as const satisfies Record<NonNullable<JournalToolCall['fault']>, string>;

function unreadable({ toolCallId, fault }: JournalToolCall): ToolResult {
  return refusal(toolCallId, 'tool_arguments_invalid', {
    details: [{ pointer: '', problem: PROBLEMS[fault ?? 'not_json'] }],
  });
}

function requestItem({ call, approval }: PlannedCall): ApprovalRequestItem[] {
  if (approval === undefined) return [];
  const { runId, callId, toolName } = call;
  const { approvalId, reason, expiresInMs } = approval;
  // The store sets the true time, by its own clock.
  return [{ type: 'approval_request', runId, callId, approvalId, toolName, reason, expiresAt: expiresInMs }];
}
