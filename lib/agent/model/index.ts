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
