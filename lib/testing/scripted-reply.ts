import type { FinishReason, ModelReply, ModelRequest, ModelToolCall, ModelUsage } from '../agent/model/index.js';

/** A tool call of a scripted reply. `id` defaults to `call_<request>_<position>`, both from 1; `arguments` to `{}`. */
export type ScriptedToolCall = Pick<ModelToolCall, 'name'> & Partial<ModelToolCall>;

/** One reply as a test writes it: everything has a default. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Default: `tool_calls` where there are calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** Default: 10 tokens in, 5 out. */
  readonly usage?: ModelUsage;
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly providerState?: unknown;
  /** Default: the name of the scripted model. */
  readonly model?: string;
  /** The text as it is streamed, in place of `text`. Default: the whole text in one delta. */
  readonly chunks?: readonly string[];
  /** Waits so long before each delta and before the reply, in milliseconds, by the model's clock. */
  readonly delayMs?: number;
  /** Breaks off with `model_interrupted` once so many deltas were streamed; `complete` breaks off as well. */
  readonly cutAfter?: number;
}

/** Fails the call: with the error as it is. */
export interface ScriptedFailure {
  readonly throws: unknown;
  readonly delayMs?: number;
}

/** What one request is answered with: a reply, its text only, a failure. */
export type ScriptedAnswer = string | ScriptedReply | ScriptedFailure;

/** Makes the answer of a request; `count` is 1 for the first. */
export type ScriptedResponder = (request: ModelRequest, count: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

export type ScriptedStep = ScriptedAnswer | ScriptedResponder;

const DEFAULT_USAGE: ModelUsage = Object.freeze({ inputTokens: 10, outputTokens: 5 });

/** The reply that a script stands for. */
export function scriptedReply(script: ScriptedReply, model: string, count: number): ModelReply {
  const toolCalls = (script.toolCalls ?? []).map((call, index) => ({
    id: `call_${count}_${index + 1}`,
    arguments: {},
    ...call,
  }));
  return {
    text: deltasOf(script).join(''),
    toolCalls,
    finishReason: script.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: script.usage ?? DEFAULT_USAGE,
    model: script.model ?? model,
    ...(script.refusal !== undefined && { refusal: script.refusal }),
    ...(script.reasoning !== undefined && { reasoning: script.reasoning }),
    ...(script.providerState !== undefined && { providerState: script.providerState }),
  };
}

/** The text of a script in the pieces that it is streamed in. */
export function deltasOf({ text = '', chunks }: ScriptedReply): readonly string[] {
  return chunks ?? (text === '' ? [] : [text]);
}
