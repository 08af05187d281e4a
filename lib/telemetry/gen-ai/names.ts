/**
 * Attribute names of the GenAI semantic conventions. Own constants: the published package marks them unstable and moves them.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai (0.1.0, `latest`)
 * @see https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai (`1.41`)
 */
export const GEN_AI = Object.freeze({
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  conversationId: 'gen_ai.conversation.id',
  outputType: 'gen_ai.output.type',

  agentName: 'gen_ai.agent.name',
  agentDescription: 'gen_ai.agent.description',

  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  requestMaxTokens: 'gen_ai.request.max_tokens',
  requestTemperature: 'gen_ai.request.temperature',

  responseModel: 'gen_ai.response.model',
  responseFinishReasons: 'gen_ai.response.finish_reasons',
  responseTimeToFirstChunk: 'gen_ai.response.time_to_first_chunk',

  usageInputTokens: 'gen_ai.usage.input_tokens',
  usageOutputTokens: 'gen_ai.usage.output_tokens',
  usageCacheReadInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  usageReasoningOutputTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',

  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolCallId: 'gen_ai.tool.call.id',
  toolDescription: 'gen_ai.tool.description',

  // what was said; only where it is asked for
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolDefinitions: 'gen_ai.tool.definitions',
  toolCallArguments: 'gen_ai.tool.call.arguments',
  toolCallResult: 'gen_ai.tool.call.result',
});

/** The library's own attributes: what no convention has a name for. */
export const PALETTE = Object.freeze({
  approvalId: 'palette.approval.id',
  approvalState: 'palette.approval.state',
  approvalWait: 'palette.approval.wait_s',

  egressService: 'palette.egress.service',
  egressOperation: 'palette.egress.operation',
  egressSensitive: 'palette.egress.sensitive',
});
