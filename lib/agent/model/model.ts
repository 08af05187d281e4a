import type { JsonSchema } from '../../common/index.js';
import type { ToolDefinition } from '../../palette/index.js';

/**
 * A language model, whatever serves it. A loop needs `complete` only; a model that has `stream` is streamed from.
 *
 * Both throw what the caller cannot repair by asking the model again: `EgressError` of the hop, `ModelError` of the reply.
 */
export interface Model {
  /** As telemetry and prices know it: `gpt-5-mini`, say. */
  readonly name: string;
  /** `openai`, `anthropic`, ...: the provider, as telemetry knows it. */
  readonly provider: string;
  /** Whose rules a transcript must keep. Default: `chat`. */
  readonly dialect?: TranscriptDialect;
  /** @throws ModelError `model_interrupted`, `model_rejected`, `model_reply_invalid`; EgressError of the hop */
  complete(request: ModelRequest): Promise<ModelReply>;
  /** Yields what arrives and ends with exactly one `reply`. @throws as `complete` */
  stream?(request: ModelRequest): AsyncIterable<ModelStreamEvent>;
}

/** Whose rules a transcript keeps: OpenAI's chat completions, OpenAI's responses, Anthropic's messages. */
export type TranscriptDialect = 'chat' | 'responses' | 'anthropic';

export interface ModelRequest {
  readonly system?: string | undefined;
  /** Valid for every dialect: each tool call of an assistant message is answered before anybody else speaks. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Default: `auto`. `none` asks for words while the tools stay told, which some providers demand. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | undefined;
  /** The shape that the final answer is to have. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema } | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** When the reply must be complete, in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
}

export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Empty where the model only called tools. Never empty together with `toolCalls`. */
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** What the model that said it wants back unchanged (signed reasoning, say); only its own provider reads it. */
  readonly providerState?: unknown;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  /** A JSON value; text is sent as it is, everything else as JSON. */
  readonly content: unknown;
  readonly isError: boolean;
}

export interface ModelToolCall {
  /** The provider's, or ours where it gave none or gave one twice; unique within the reply. */
  readonly id: string;
  readonly name: string;
  /** Empty where `fault` tells that the model wrote no JSON object. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What is wrong with what the model wrote in place of arguments. The tool is not run; the model is told. */
  readonly fault?: 'not_json' | 'not_an_object' | 'too_deep' | undefined;
}

/**
 * Why the model stopped. Tool calls are run with `stop` and `tool_calls` only: with `length` and `content_filter` they may
 * be incomplete.
 */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: ModelUsage;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  /** Why the model declined, in its words. */
  readonly refusal?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly providerState?: unknown;
}

/** Tokens; undefined where the provider does not count them. */
export interface ModelUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export type ModelStreamEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  | { readonly type: 'reply'; readonly reply: ModelReply };
