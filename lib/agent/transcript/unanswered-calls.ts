import { endedResult, type CallResult } from '../../approvals/index.js';
import type { AssistantMessageItem, JournalEntry, JournalToolCall } from '../../conversations/index.js';
import type { ApprovalDecisionItem } from '../../conversations/index.js';
import { errorResult, missingResult } from './told-results.js';

/** What a journal tells about calls of which it has no result: a process died, or a person has yet to decide. */
export class UnansweredCalls {
  readonly #requested = new Set<string>();
  readonly #decisions = new Map<string, ApprovalDecisionItem>();
  readonly #endedRuns = new Set<string>();

  constructor(entries: readonly JournalEntry[]) {
    for (const { item } of entries) {
      if (item.type === 'approval_request') this.#requested.add(item.callId);
      if (item.type === 'approval_decision') this.#decisions.set(item.callId, item);
      if (item.type === 'run_ended') this.#endedRuns.add(item.runId);
    }
  }

  /** What a model is told: that the call did not run where that is certain, and that it may have run otherwise. */
  resultOf({ callId, fault }: JournalToolCall, { runId, finishReason }: AssistantMessageItem): CallResult {
    if (fault !== undefined) return errorResult('tool_arguments_invalid', { fault });
    if (finishReason === 'length' || finishReason === 'content_filter') return endedResult('cancelled');
    const decision = this.#decisions.get(callId);
    if (decision === undefined && this.#requested.has(callId)) {
      return this.#endedRuns.has(runId) ? endedResult('cancelled') : errorResult('approval_required');
    }
    if (decision === undefined || decision.outcome === 'approved') return missingResult();
    return endedResult(decision.outcome, decision.comment);
  }
}
