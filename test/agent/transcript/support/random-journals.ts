import fc from 'fast-check';
import type { JournalEntry, JournalItem, JournalToolCall } from '../../../../lib/conversations/index.js';
import {
  ada,
  asked,
  call,
  decided,
  handedOff,
  journal,
  replied,
  requested,
  result,
  runEnded,
  runStarted,
} from './journal.js';

interface RandomCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly fault: 'not_json' | undefined;
  readonly gate: 'none' | 'waiting' | 'approved' | 'denied' | 'expired';
  readonly hasResult: boolean;
  readonly isError: boolean;
  readonly isTransfer: boolean;
  /** By how many items its result comes later than it could. */
  readonly delay: number;
}

interface RandomStep {
  readonly text: string;
  readonly calls: readonly RandomCall[];
  readonly state: 'none' | 'anthropic' | 'chat';
  readonly finishReason: string;
  readonly isQueuedMeanwhile: boolean;
}

interface RandomRun {
  readonly steps: readonly RandomStep[];
  readonly hasEnded: boolean;
}

/** Providers that repeat their ids, that give none, and that give long or unusual ones. */
const toolCallId = fc.constantFrom('', '0', '1', 'call_a', 'functions.look:0', 'call_'.padEnd(70, 'x'));
const text = fc.constantFrom('', ' \n', 'Let me look.', 'Done.', 'Ünïcode 🙂', 'Cut: \ud83d');

const randomCall = fc.record<RandomCall>({
  toolCallId,
  name: fc.constantFrom('look', 'transfer_to_other', 'functions.look', 'weather<|channel|>'),
  fault: fc.constantFrom(undefined, undefined, undefined, 'not_json' as const),
  gate: fc.constantFrom('none', 'none', 'waiting', 'approved', 'denied', 'expired'),
  hasResult: fc.boolean(),
  isError: fc.boolean(),
  isTransfer: fc.boolean(),
  delay: fc.nat({ max: 12 }),
});

const randomStep = fc.record<RandomStep>({
  text,
  calls: fc.array(randomCall, { maxLength: 4 }),
  state: fc.constantFrom('none', 'anthropic', 'chat'),
  finishReason: fc.constantFrom('stop', 'tool_calls', 'tool_calls', 'length', 'content_filter'),
  isQueuedMeanwhile: fc.boolean(),
});

const randomRun = fc.record<RandomRun>({
  steps: fc.array(randomStep, { maxLength: 4 }),
  hasEnded: fc.boolean(),
});

/**
 * Journals of several runs: parallel calls, approvals, handoffs, results in any order and far behind, runs that never ended, and
 * the whole cut anywhere, as a process that died leaves it. Each call says its ledger's id in its arguments, and each result says
 * the one of its call.
 */
export const randomJournals: fc.Arbitrary<JournalEntry[]> = fc
  .tuple(fc.array(randomRun, { minLength: 1, maxLength: 4 }), fc.nat({ max: 1_000 }))
  .map(([runs, cut]) => {
    const entries = journal(
      ...runs.reduce<JournalItem[]>((items, run, index) => [...items, ...itemsOf(run, index)], []),
    );
    return entries.slice(0, entries.length - (cut % 10));
  });

function itemsOf({ steps, hasEnded }: RandomRun, index: number): JournalItem[] {
  const runId = `r${index}`;
  const items = [runStarted(runId), asked(`Question ${index}`, runId)];
  const late: { at: number; item: JournalItem }[] = [];
  steps.forEach((step, number) => {
    const calls = step.calls.map((each, place) => ({ each, ...journalCall(each, `${runId}.${number}.${place}`) }));
    // A journal holds no message without text and calls; one with blank text is what a model may write.
    if (step.text === '' && calls.length === 0) return;
    items.push(
      replied(
        step.text,
        calls.map(({ logged }) => logged),
        { runId, ...told(step, calls) },
      ),
    );
    for (const { each, logged } of calls) items.push(...gateItems(each, logged.callId, runId));
    if (step.isQueuedMeanwhile) items.push({ type: 'queued_message', text: 'Not yet said.', principal: ada });
    for (const { each, logged } of calls) late.push(...lateItems(each, logged, runId, items.length));
  });
  if (hasEnded) items.push(runEnded(runId));
  for (const { at, item } of late.sort((a, b) => b.at - a.at)) items.splice(at, 0, item);
  return items;
}

function journalCall({ toolCallId: id, name, fault }: RandomCall, callId: string): { logged: JournalToolCall } {
  const args = fault === undefined ? JSON.stringify({ call: callId }) : '{}';
  return { logged: call(callId, { toolCallId: id, name, arguments: args, ...(fault !== undefined && { fault }) }) };
}

function gateItems({ gate }: RandomCall, callId: string, runId: string): JournalItem[] {
  if (gate === 'none') return [];
  return gate === 'waiting' ? [requested(callId, runId)] : [requested(callId, runId), decided(callId, gate)];
}

function lateItems(
  each: RandomCall,
  logged: JournalToolCall,
  runId: string,
  from: number,
): { at: number; item: JournalItem }[] {
  const { callId, toolCallId: id } = logged;
  const at = from + each.delay;
  const content = each.isError && each.delay % 3 === 0 ? '' : `result of ${callId}`;
  const answer = { ...result(callId, content, { toolCallId: id, runId }), isError: each.isError } as JournalItem;
  return [
    ...(each.hasResult ? [{ at, item: answer }] : []),
    ...(each.isTransfer ? [{ at, item: handedOff(callId, runId) }] : []),
  ];
}

function told(
  { text: said, state, finishReason }: RandomStep,
  calls: readonly { logged: JournalToolCall }[],
): { finishReason: string; providerState?: unknown } {
  const ids = calls.map(({ logged }) => logged.toolCallId);
  if (state === 'chat') {
    const extras = Object.fromEntries(ids.map((id) => [id, { extra_content: { signature: 's' } }]));
    return { finishReason, providerState: { format: 'chat-completions', extras } };
  }
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' };
  const blocks = [thought, { type: 'text', text: said }, ...ids.map((id) => ({ type: 'tool_use', id }))];
  return { finishReason, ...(state === 'anthropic' && { providerState: { format: 'anthropic-messages', blocks } }) };
}
