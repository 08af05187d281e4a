import { ConflictException } from '@nestjs/common';
import fc from 'fast-check';
import type { FunctionTool, ModelRequest } from 'nestjs-palette';
import type { ScriptedAnswer } from 'nestjs-palette/testing';
import { FINAL_CALL_STATES, type CallRecord } from '../../../../lib/approvals/index.js';
import { counted } from './running.js';

const NOT_RUN: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'denied', 'expired']);
const KINDS = ['fine', 'slow', 'refuses', 'throws'] as const;

/** How a tool behaves, whether it may be repeated, whether a person must approve it. */
export interface ToolKind {
  readonly kind: (typeof KINDS)[number];
  readonly isRepeatable: boolean;
  readonly isGated: boolean;
}

/** What a model does in one turn: text and calls, step by step, and an answer at the end. */
export interface Turn {
  readonly question: string;
  readonly steps: readonly { readonly text: string; readonly calls: readonly ToolKind[] }[];
  readonly answer: string;
}

/** Where processes fail for good: at which call of the store, and whether that call was done. */
export interface Crash {
  readonly at: number;
  readonly isDone: boolean;
}

const toolKinds: readonly ToolKind[] = KINDS.flatMap((kind) =>
  [true, false].flatMap((isRepeatable) => [true, false].map((isGated) => ({ kind, isRepeatable, isGated }))),
);
// Most calls come to something: a tool that throws ends the run.
const toolKind = fc.oneof(
  { arbitrary: fc.constantFrom(...toolKinds.filter(({ kind }) => kind !== 'throws')), weight: 9 },
  { arbitrary: fc.constantFrom(...toolKinds), weight: 1 },
);
const steps = fc.array(
  fc.record({ text: fc.constantFrom('', 'Let me see.'), calls: fc.array(toolKind, { minLength: 1, maxLength: 4 }) }),
  { maxLength: 3 },
);

/** Two turns of a conversation. */
export const randomTurns: fc.Arbitrary<readonly [Turn, Turn]> = fc.tuple(steps, steps).map(([one, other]) => [
  { question: 'q1', steps: one, answer: 'a1' },
  { question: 'q2', steps: other, answer: 'a2' },
]);

/** One for each process, until there are none left. */
export const randomCrashes: fc.Arbitrary<readonly Crash[]> = fc.array(
  fc.record({ at: fc.integer({ min: 1, max: 40 }), isDone: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

const nameOf = ({ kind, isRepeatable, isGated }: ToolKind): string =>
  [kind, isRepeatable ? 'again' : 'once', isGated ? 'gated' : 'free'].join('_');

export const isRepeatable = (tool: string): boolean => tool.includes('_again_');

export interface ToolRun {
  readonly tool: string;
  /** Which call it was: unique in the whole conversation, as the model wrote it. */
  readonly call: string;
  readonly key: string | undefined;
}

/** All the tools; each writes down that it ran. */
export function toolsOf(runs: ToolRun[]): FunctionTool[] {
  return toolKinds.map((toolKind) => {
    const tool = nameOf(toolKind);
    return counted(tool, {
      annotations: { readOnly: toolKind.isRepeatable },
      ...(toolKind.isGated && { approval: 'It costs money.' }),
      execute: async (input, { caller }) => {
        runs.push({ tool, call: String((input as { call: unknown }).call), key: caller.idempotencyKey });
        if (toolKind.kind === 'slow') await new Promise((resolve) => setImmediate(resolve));
        if (toolKind.kind === 'refuses') throw new ConflictException('not now');
        if (toolKind.kind === 'throws') throw new Error('broken');
        return { ran: tool };
      },
    }).tool;
  });
}

/** What the model says, by what was said before: any process asks the same of it. */
export function answerOf(turns: readonly Turn[], { messages }: ModelRequest): ScriptedAnswer {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[asked];
  const turn = turns.find((each) => question?.role === 'user' && each.question === question.text) as Turn;
  const said = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
  const step = turn.steps[said];
  if (step === undefined) return turn.answer;
  const toolCalls = step.calls.map((toolKind, index) => ({
    id: `${turn.question}-${said}-${index}`,
    name: nameOf(toolKind),
    arguments: { call: `${turn.question}-${said}-${index}` },
  }));
  return { text: step.text, toolCalls };
}

/**
 * What is wrong with how often calls ran, and with what the ledger says of it: twice what may run once, another key than the first
 * time, "it did not run" of what did, "it did" of what did not.
 */
export function runFaults(runs: readonly ToolRun[], calls: readonly CallRecord[]): string[] {
  return calls.flatMap(({ toolCallId, toolName, state, idempotencyKey, attempts }) => {
    const own = runs.filter(({ call }) => call === toolCallId);
    const mayRepeat = isRepeatable(toolName);
    const faults: string[] = [];
    if (!mayRepeat && own.length > 1) faults.push(`ran ${own.length} times`);
    if (own.some(({ key }) => key !== idempotencyKey)) faults.push('ran under another key');
    if (own.length > attempts) faults.push(`ran ${own.length} times in ${attempts} attempts`);
    if (!mayRepeat && NOT_RUN.has(state) && own.length > 0) faults.push(`is ${state}, and ran`);
    if (state === 'succeeded' && own.length === 0) faults.push('succeeded without running');
    if (!FINAL_CALL_STATES.has(state)) faults.push(`is left ${state}`);
    return faults.map((fault) => `${toolCallId} (${toolName}) ${fault}`);
  });
}
