import type { SpanLink } from '../span.js';

/** Tokens; undefined where nobody counted them. `ModelUsage` of a reply fits. */
export interface TokenUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

export interface AgentSpanInput {
  readonly agent: string;
  readonly description?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The model that the agent is set up with, where it is one. */
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** The span of the run that this one goes on with, as it was stored. */
  readonly links?: readonly SpanLink[] | undefined;
}

export interface AgentSpanResult {
  /** Of the whole run. */
  readonly usage?: TokenUsage | undefined;
  /** Of the last reply. */
  readonly finishReason?: string | undefined;
  /** Calls of a model in this run. */
  readonly modelCalls?: number | undefined;
  readonly toolCalls?: number | undefined;
}

export interface ChatSpanInput {
  readonly model: string;
  readonly provider: string;
  readonly conversationId?: string | undefined;
  readonly isStreamed?: boolean | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly outputType?: 'text' | 'json' | undefined;
  /** Read only where content is captured. */
  readonly content?: (() => ChatContent) | undefined;
}

/** What a model is told. `ModelRequest` fits. */
export interface ChatContent {
  readonly system?: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[] | undefined;
}

/** `ModelMessage` fits. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: unknown };

export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** `ToolDefinition` fits. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

/** `ModelReply` fits. */
export interface ChatSpanResult {
  /** The model that answered, as the provider names it. */
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ChatToolCall[] | undefined;
}

export interface ToolSpanInput {
  readonly tool: string;
  readonly callId: string;
  readonly description?: string | undefined;
  readonly agent?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Read only where content is captured. */
  readonly arguments?: unknown;
  /** The approval that this call waited for. */
  readonly approval?: ApprovalSpanInput | undefined;
  /** The span that asked for the approval, as it was stored. */
  readonly links?: readonly SpanLink[] | undefined;
}

export interface ApprovalSpanInput {
  readonly id: string;
  /** `pending`, `approved`, `denied`, `expired`, ... */
  readonly state?: string | undefined;
  /** From the request to the decision, in milliseconds. */
  readonly waitedMs?: number | undefined;
}

export interface ToolSpanResult {
  /** The code of the failure, where the tool answered with one. */
  readonly errorCode?: string | undefined;
  /** Read only where content is captured. */
  readonly result?: unknown;
}
