import type { Principal } from '../../common/index.js';
import type { JournalEntry, JournalItem, JournalToolCall, RunStartedItem } from '../../conversations/index.js';

/** What a run has used, over crashes and replicas. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Replies of models that were kept. */
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** The run between `run_started` and `run_ended`, as the journal tells it. */
export interface OpenRun {
  readonly runId: string;
  readonly principal: Principal;
  /** The agent whose turn it is. */
  readonly agent: string;
  /** The last step that was begun; 0 before the first. */
  readonly step: number;
  readonly usage: RunUsage;
  /** How often it was handed over, by `from to`. */
  readonly handoffs: Readonly<Record<string, number>>;
  /** The calls of the last step, while they have no results. */
  readonly openCalls: readonly JournalToolCall[];
  /** The span of its beginning. */
  readonly trace: RunStartedItem['trace'];
  /** Why the last reply ended. */
  readonly finishReason: string | undefined;
  /** What the last reply said. */
  readonly lastText: string;
  /** Approvals that were asked for and not settled. */
  readonly pendingApprovals: readonly string[];
}

export interface QueuedMessage {
  readonly seq: number;
  readonly text: string;
  readonly principal: Principal;
}

/** Where a conversation stands. */
export interface RunState {
  readonly lastSeq: number;
  /** Undefined where no run is open. */
  readonly run: OpenRun | undefined;
  /** The agent that the next run begins with; undefined before the first. */
  readonly nextAgent: string | undefined;
  readonly queued: readonly QueuedMessage[];
  /** The last run that ended, as it was then. */
  readonly endedRun: OpenRun | undefined;
}

export const NO_USAGE: RunUsage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, toolCalls: 0 };

export const NEW_CONVERSATION: RunState = {
  lastSeq: 0,
  run: undefined,
  nextAgent: undefined,
  queued: [],
  endedRun: undefined,
};

/** The state after one more entry of the journal. */
export function reduceRun(state: RunState, { seq, item }: JournalEntry): RunState {
  const after = { ...state, lastSeq: seq };
  switch (item.type) {
    case 'run_started':
      return { ...after, run: newRun(item) };
    case 'user_message':
      return { ...after, queued: state.queued.filter((message) => message.seq !== item.queuedSeq) };
    case 'queued_message':
      return { ...after, queued: [...state.queued, { seq, text: item.text, principal: item.principal }] };
    case 'run_ended':
      return { ...after, run: undefined, nextAgent: item.agent, endedRun: state.run };
    default:
      return { ...after, run: state.run && withItem(state.run, item) };
  }
}

function newRun({ runId, principal, agent, trace }: RunStartedItem): OpenRun {
  return {
    runId,
    principal,
    agent,
    step: 0,
    usage: NO_USAGE,
    handoffs: {},
    openCalls: [],
    trace,
    finishReason: undefined,
    lastText: '',
    pendingApprovals: [],
  };
}

function withItem(run: OpenRun, item: JournalItem): OpenRun {
  switch (item.type) {
    case 'assistant_message':
      return {
        ...run,
        step: item.step,
        openCalls: item.toolCalls,
        finishReason: item.finishReason,
        lastText: item.text,
        usage: withReply(run.usage, item),
      };
    case 'tool_result':
      return { ...run, openCalls: run.openCalls.filter(({ callId }) => callId !== item.callId) };
    case 'approval_request':
      return { ...run, pendingApprovals: [...run.pendingApprovals, item.approvalId] };
    case 'approval_decision':
      return { ...run, pendingApprovals: run.pendingApprovals.filter((id) => id !== item.approvalId) };
    case 'handoff':
      return { ...run, agent: item.to, handoffs: withHandoff(run.handoffs, item.from, item.to) };
    default:
      return run;
  }
}

function withReply(
  usage: RunUsage,
  { usage: used, toolCalls }: Extract<JournalItem, { type: 'assistant_message' }>,
): RunUsage {
  return {
    inputTokens: usage.inputTokens + (used.inputTokens ?? 0),
    outputTokens: usage.outputTokens + (used.outputTokens ?? 0),
    modelCalls: usage.modelCalls + 1,
    toolCalls: usage.toolCalls + toolCalls.length,
  };
}

function withHandoff(handoffs: OpenRun['handoffs'], from: string, to: string): OpenRun['handoffs'] {
  const edge = edgeOf(from, to);
  return { ...handoffs, [edge]: (handoffs[edge] ?? 0) + 1 };
}

/** The key of an edge in `handoffs`: names of agents have no spaces. */
export function edgeOf(from: string, to: string): string {
  return `${from} ${to}`;
}
