import type { SpanAttributes } from '../span.js';
import type { TelemetrySettings } from '../telemetry.options.js';
import { json, replyContent, requestContent } from './content.js';
import { GEN_AI, PALETTE } from './names.js';
import type {
  AgentSpanInput,
  AgentSpanResult,
  ApprovalSpanInput,
  ChatSpanInput,
  ChatSpanResult,
  TokenUsage,
  ToolSpanInput,
  ToolSpanResult,
} from './span-inputs.js';

export const speaks141 = ({ semconv }: TelemetrySettings): boolean => semconv !== 'latest';
export const speaksLatest = ({ semconv }: TelemetrySettings): boolean => semconv !== '1.41';

/** An agent in this process. Its provider and what it read from caches left the conventions after 1.41. */
export function agentAttributes(input: AgentSpanInput, settings: TelemetrySettings): SpanAttributes {
  return {
    [GEN_AI.operationName]: 'invoke_agent',
    [GEN_AI.agentName]: input.agent,
    [GEN_AI.agentDescription]: input.description,
    [GEN_AI.conversationId]: input.conversationId,
    [GEN_AI.requestModel]: input.model,
    [GEN_AI.providerName]: speaks141(settings) ? input.provider : undefined,
  };
}

export function agentResultAttributes(result: AgentSpanResult, settings: TelemetrySettings): SpanAttributes {
  const { usage = {}, finishReason } = result;
  return {
    [GEN_AI.responseFinishReasons]: finishReasons(finishReason),
    [GEN_AI.usageInputTokens]: usage.inputTokens,
    [GEN_AI.usageOutputTokens]: usage.outputTokens,
    [GEN_AI.usageCacheReadInputTokens]: speaks141(settings) ? usage.cachedInputTokens : undefined,
  };
}

export function chatAttributes(input: ChatSpanInput, { captureContent }: TelemetrySettings): SpanAttributes {
  return {
    [GEN_AI.operationName]: 'chat',
    [GEN_AI.providerName]: input.provider,
    [GEN_AI.requestModel]: input.model,
    [GEN_AI.conversationId]: input.conversationId,
    [GEN_AI.outputType]: input.outputType,
    [GEN_AI.requestStream]: input.isStreamed === true ? true : undefined,
    [GEN_AI.requestMaxTokens]: input.maxOutputTokens,
    [GEN_AI.requestTemperature]: input.temperature,
    ...(captureContent && input.content !== undefined ? requestContent(input.content()) : {}),
  };
}

export function chatResultAttributes(result: ChatSpanResult, { captureContent }: TelemetrySettings): SpanAttributes {
  return {
    [GEN_AI.responseModel]: result.model,
    [GEN_AI.responseFinishReasons]: finishReasons(result.finishReason),
    ...usageAttributes(result.usage ?? {}),
    ...(captureContent ? replyContent(result) : {}),
  };
}

export function toolAttributes(input: ToolSpanInput, { captureContent }: TelemetrySettings): SpanAttributes {
  return {
    [GEN_AI.operationName]: 'execute_tool',
    [GEN_AI.toolName]: input.tool,
    [GEN_AI.toolType]: 'function',
    [GEN_AI.toolCallId]: input.callId,
    [GEN_AI.toolDescription]: input.description,
    [GEN_AI.agentName]: input.agent,
    [GEN_AI.conversationId]: input.conversationId,
    [GEN_AI.toolCallArguments]: captureContent ? json(input.arguments) : undefined,
    ...(input.approval === undefined ? {} : approvalAttributes(input.approval)),
  };
}

export function toolResultAttributes(
  { result }: ToolSpanResult,
  { captureContent }: TelemetrySettings,
): SpanAttributes {
  return captureContent ? { [GEN_AI.toolCallResult]: json(result) } : {};
}

export function approvalAttributes({ id, state, waitedMs }: ApprovalSpanInput): SpanAttributes {
  return {
    [PALETTE.approvalId]: id,
    [PALETTE.approvalState]: state,
    [PALETTE.approvalWait]: waitedMs === undefined ? undefined : waitedMs / 1000,
  };
}

function usageAttributes(usage: TokenUsage): SpanAttributes {
  return {
    [GEN_AI.usageInputTokens]: usage.inputTokens,
    [GEN_AI.usageOutputTokens]: usage.outputTokens,
    [GEN_AI.usageCacheReadInputTokens]: usage.cachedInputTokens,
    [GEN_AI.usageReasoningOutputTokens]: usage.reasoningTokens,
  };
}

/** One for each reply; we ask for one. */
function finishReasons(reason: string | undefined): readonly string[] | undefined {
  return reason === undefined ? undefined : [reason];
}
