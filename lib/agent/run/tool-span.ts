import type { CallRecord } from '../../approvals/index.js';
import type { ApprovalSpanInput, ToolSpan } from '../../telemetry/index.js';
import type { AgentTool } from '../tools/index.js';
import type { RunContext } from './run-context.js';

/** The span of a call that is about to run. It ends with the call. */
export async function startToolSpan(call: CallRecord, tool: AgentTool, context: RunContext): Promise<ToolSpan> {
  const { telemetry, isStored } = context;
  const { name, description } = tool.definition;
  return telemetry.startTool({
    tool: name,
    callId: call.toolCallId,
    description,
    agent: call.agent,
    conversationId: isStored ? call.conversationId : undefined,
    arguments: telemetry.isHeard ? (JSON.parse(call.arguments) as unknown) : undefined,
    approval: await approvalOf(call, context),
  });
}

/** What a person decided, and how long that took; asked of the store only where somebody listens. */
async function approvalOf(
  { approvalId }: CallRecord,
  { store, telemetry }: RunContext,
): Promise<ApprovalSpanInput | undefined> {
  if (approvalId === undefined || !telemetry.isHeard) return undefined;
  // What cannot be told is left out: the call runs all the same.
  const approval = await store.approval(approvalId).catch(() => undefined);
  const { createdAt, decidedAt } = approval ?? {};
  const waitedMs = createdAt === undefined || decidedAt === undefined ? undefined : decidedAt - createdAt;
  return { id: approvalId, state: 'approved', waitedMs };
}
