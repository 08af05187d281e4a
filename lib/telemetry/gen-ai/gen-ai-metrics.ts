import type { SpanAttributes } from '../span.js';
import type { TelemetrySettings } from '../telemetry.options.js';
import { speaks141, speaksLatest } from './attributes.js';
import { measure } from './metrics.js';
import { GEN_AI } from './names.js';
import type { AgentSpanInput, AgentSpanResult, ChatSpanInput, ChatSpanResult, ToolSpanInput } from './span-inputs.js';

/** How long something took, in seconds, and what it failed with. */
export interface Took {
  readonly seconds: number;
  readonly errorType: string | undefined;
}

export function measureAgent(
  input: AgentSpanInput,
  result: AgentSpanResult,
  took: Took,
  settings: TelemetrySettings,
): void {
  const dimensions = { [GEN_AI.agentName]: input.agent, [GEN_AI.requestModel]: input.model };
  const failed = { ...dimensions, 'error.type': took.errorType };
  if (speaks141(settings)) {
    const operation = { [GEN_AI.operationName]: 'invoke_agent', [GEN_AI.providerName]: input.provider };
    measure('gen_ai.client.operation.duration', took.seconds, { ...failed, ...operation });
  }
  if (!speaksLatest(settings)) return;
  measure('gen_ai.invoke_agent.duration', took.seconds, failed);
  measure('gen_ai.invoke_agent.inference_calls', result.modelCalls, dimensions);
  measure('gen_ai.invoke_agent.tool_calls', result.toolCalls, dimensions);
}

export function measureTool(input: ToolSpanInput, took: Took, settings: TelemetrySettings): void {
  const { seconds, errorType } = took;
  const dimensions = { [GEN_AI.toolName]: input.tool, [GEN_AI.agentName]: input.agent, 'error.type': errorType };
  if (speaks141(settings)) {
    measure('gen_ai.client.operation.duration', seconds, { ...dimensions, [GEN_AI.operationName]: 'execute_tool' });
  }
  if (!speaksLatest(settings)) return;
  measure('gen_ai.execute_tool.duration', seconds, { ...dimensions, [GEN_AI.toolType]: 'function' });
}

export function measureChat(
  input: ChatSpanInput,
  result: ChatSpanResult,
  took: Took & { readonly firstChunkSeconds: number | undefined },
  settings: TelemetrySettings,
): void {
  const dimensions = {
    [GEN_AI.operationName]: 'chat',
    [GEN_AI.providerName]: input.provider,
    [GEN_AI.requestModel]: input.model,
    [GEN_AI.responseModel]: result.model,
  };
  const failed = { ...dimensions, 'error.type': took.errorType };
  if (speaks141(settings)) {
    measure('gen_ai.client.operation.duration', took.seconds, failed);
    measure('gen_ai.client.operation.time_to_first_chunk', took.firstChunkSeconds, dimensions);
    measureUsage141(result, dimensions);
  }
  if (!speaksLatest(settings)) return;
  measure('gen_ai.client.inference.duration', took.seconds, failed);
  measure('gen_ai.client.inference.time_to_first_chunk', took.firstChunkSeconds, dimensions);
  measureUsage(result, dimensions);
}

function measureUsage141({ usage = {} }: ChatSpanResult, dimensions: SpanAttributes): void {
  measure('gen_ai.client.token.usage', usage.inputTokens, { ...dimensions, [GEN_AI.tokenType]: 'input' });
  measure('gen_ai.client.token.usage', usage.outputTokens, { ...dimensions, [GEN_AI.tokenType]: 'output' });
}

function measureUsage({ usage = {} }: ChatSpanResult, dimensions: SpanAttributes): void {
  measure('gen_ai.client.inference.usage.input_tokens', usage.inputTokens, dimensions);
  measure('gen_ai.client.inference.usage.output_tokens', usage.outputTokens, dimensions);
  measure('gen_ai.client.inference.usage.cache_read.input_tokens', usage.cachedInputTokens, dimensions);
  measure('gen_ai.client.inference.usage.reasoning.output_tokens', usage.reasoningTokens, dimensions);
}
