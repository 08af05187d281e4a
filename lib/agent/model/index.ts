export type {
  AssistantMessage,
  FinishReason,
  Model,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelStreamEvent,
  ModelToolCall,
  ModelUsage,
  ToolMessage,
  UserMessage,
} from './model.js';
export { ModelError, type ModelErrorCode, type ModelName } from './model-error.js';
export { AnthropicModel, type AnthropicModelOptions } from './anthropic/anthropic-model.js';
export { anthropicMessage, anthropicService, type AnthropicService } from './anthropic/anthropic-service.js';
export { ChatCompletionsModel, type ChatCompletionsModelOptions } from './chat-completions/chat-completions-model.js';
export type { ChatCompletionsQuirks } from './chat-completions/chat-completions-quirks.js';
export {
  chatCompletion,
  chatCompletionsService,
  type ChatCompletionsService,
} from './chat-completions/chat-completions-service.js';
