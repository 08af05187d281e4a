import { isDeepStrictEqual } from 'node:util';
import { toMessages, type AgentStore, type CallRecord, type JournalItem } from 'nestjs-palette';
import { transcriptFaults } from '../../../../lib/agent/transcript/index.js';
import { repeatableCalls, STEPS, type CrashApp } from './crash-app.js';
import type { Trial } from './crash-trials.js';

const CALLS = STEPS.flat();
const TEXTS = [...STEPS.map((_, index) => `Step ${index + 1}.`), 'Done.'];
const ROLES = [...STEPS.flatMap((names) => ['assistant', ...names.map(() => 'tool')]), 'assistant'];

/** What must not have become of a conversation whose process died; empty where all is well. */
export async function crashFaults(trial: Trial, store: AgentStore, { model }: CrashApp): Promise<string[]> {
  const unknown = (await store.unknownCalls(1_000)).filter((call) => call.conversationId === trial.conversation);
  const found = [
    ...journalFaults(trial),
    ...transcriptsFaults(trial),
    ...(await approvalFaults(trial, store)),
    ...trial.after.calls.flatMap((call) => callFaults(trial, call, repeatableCalls(store), { unknown, model })),
    ...bookingFaults(trial, repeatableCalls(store).includes('works__book')),
  ];
  return found.map((fault) => `killed after ${trial.points.length} (${trial.points.at(-1)}): ${fault}`);
}

/** Everything that was written is there as it was, and everything is there once. */
function journalFaults({ before, after }: Trial): string[] {
  const faults: string[] = [];
  const must = mustOf(faults);
  const items = after.entries.map(({ item }) => item);
  must(isDeepStrictEqual(after.entries.slice(0, before.entries.length), before.entries), 'the journal was changed');
  const count = (type: JournalItem['type']) => items.filter((item) => item.type === type).length;
  for (const type of ['run_started', 'user_message', 'approval_request', 'approval_decision', 'run_ended'] as const) {
    must(count(type) === 1, `there are ${count(type)} of ${type}`);
  }
  const last = items.at(-1);
  must(last?.type === 'run_ended' && last.outcome === 'completed', 'the run was not completed');
  const said = items.flatMap((item) => (item.type === 'assistant_message' ? [item.text] : []));
  must(isDeepStrictEqual(said, TEXTS), `the model said ${JSON.stringify(said)}`);
  const answered = items.flatMap((item) => (item.type === 'tool_result' ? [item.toolName] : []));
  must(isDeepStrictEqual(answered, CALLS), `there are results of ${answered.join(', ')}`);
  return faults;
}

function transcriptsFaults({ after }: Trial): string[] {
  const messages = toMessages(after.entries);
  const roles = messages.map(({ role }) => role);
  const faults = (['chat', 'responses', 'anthropic'] as const).flatMap((dialect) =>
    transcriptFaults(messages, dialect).map((fault) => `${dialect}: ${fault}`),
  );
  mustOf(faults)(isDeepStrictEqual(roles, ['user', ...ROLES]), `the transcript is ${roles.join(', ')}`);
  return faults;
}

async function approvalFaults({ conversation }: Trial, store: AgentStore): Promise<string[]> {
  const faults: string[] = [];
  const { approvals } = await store.approvals({ conversationId: conversation });
  const votes = approvals.map(({ state, votes: { length } }) => `${state} by ${length}`);
  mustOf(faults)(isDeepStrictEqual(votes, ['approved by 1']), `approvals: ${votes.join(', ')}`);
  return faults;
}

/** Who is told what of calls that nobody knows the outcome of. */
interface Told {
  readonly unknown: readonly CallRecord[];
  readonly model: CrashApp['model'];
}

/** At most once, unless a repeat does no harm; and what nobody knows is said to be unknown. */
function callFaults(
  { before, effects }: Trial,
  call: CallRecord,
  repeatable: readonly string[],
  { unknown, model }: Told,
): string[] {
  const faults: string[] = [];
  const must = mustOf(faults);
  const { callId, toolName, state, idempotencyKey } = call;
  const isRepeatable = repeatable.includes(toolName);
  const was = before.calls.find((each) => each.callId === callId);
  const own = effects.filter(({ what }) => what === toolName.replace('works__', ''));
  const diedWithIt = was?.state === 'executing';
  const isUnknown = diedWithIt && !isRepeatable;
  must(
    own.every(({ key }) => key === idempotencyKey),
    `${toolName} ran under another key`,
  );
  must(own.length <= (diedWithIt && isRepeatable ? 2 : 1), `${toolName} ran ${own.length} times`);
  must(isUnknown || own.length > 0, `${toolName} never ran`);
  must(state === (isUnknown ? 'unknown' : 'succeeded'), `${toolName} is ${state}`);
  must(
    was?.result === undefined || isDeepStrictEqual(was.result, call.result),
    `the result of ${toolName} was changed`,
  );
  must(unknown.some((each) => each.callId === callId) === isUnknown, `operators are told otherwise of ${toolName}`);
  const isTold = model.requests.some(({ messages }) =>
    messages.some((each) => each.role === 'tool' && each.toolCallId === call.toolCallId && saysUnknown(each.content)),
  );
  must(isTold === isUnknown, `the model is told otherwise of ${toolName}`);
  return faults;
}

function bookingFaults({ booked, effects }: Trial, isTogether: boolean): string[] {
  const faults: string[] = [];
  const ran = effects.filter(({ what }) => what === 'book').length;
  mustOf(faults)(booked === (isTogether ? 1 : ran), `it is booked ${booked} times`);
  return faults;
}

function saysUnknown(content: unknown): boolean {
  return (content as { readonly code?: unknown } | null)?.code === 'tool_outcome_unknown';
}

function mustOf(faults: string[]): (isSo: boolean, otherwise: string) => void {
  return (isSo, otherwise) => {
    if (!isSo) faults.push(otherwise);
  };
}
