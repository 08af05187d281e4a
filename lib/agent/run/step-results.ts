import { FINAL_CALL_STATES, type CallRecord, type CallResult } from '../../approvals/index.js';
import type { HandoffItem, ToolResultItem } from '../../conversations/index.js';
import type { AgentGraph } from '../definition/index.js';
import type { OpenRun } from './run-state.js';

/** The results of a step, by the call's id; undefined while one is missing. */
export function resultsOf(
  calls: readonly CallRecord[],
  executed: ReadonlyMap<string, CallResult>,
): ReadonlyMap<string, CallResult> | undefined {
  const results = new Map<string, CallResult>();
  for (const { callId, state, result } of calls) {
    const known = executed.get(callId) ?? (FINAL_CALL_STATES.has(state) ? result : undefined);
    if (known === undefined) return undefined;
    results.set(callId, known);
  }
  return results;
}

/** The results as the journal keeps them, in the order of the calls. */
export function resultItems(
  calls: readonly CallRecord[],
  resultOf: (call: CallRecord) => CallResult,
): readonly ToolResultItem[] {
  return calls.map((call) => {
    const { runId, step, agent, callId, toolCallId, toolName } = call;
    const { isError, content } = resultOf(call);
    return { type: 'tool_result', runId, step, agent, callId, toolCallId, toolName, isError, content };
  });
}

/** The first transfer of a step that came to be; none in most steps. */
export function handoffItems(
  { runId, step, agent }: OpenRun,
  calls: readonly CallRecord[],
  resultOf: (call: CallRecord) => CallResult,
  graph: AgentGraph,
): readonly HandoffItem[] {
  for (const call of calls) {
    const { callId, toolName } = call;
    const to = graph.transferTarget(agent, toolName);
    if (to !== undefined && !resultOf(call).isError) {
      return [{ type: 'handoff', runId, step, from: agent, to, callId }];
    }
  }
  return [];
}
