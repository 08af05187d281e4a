export { PALETTE } from './gen-ai/names.js';
export {
  GenAiTelemetry,
  type AgentSpan,
  type ChatSpan,
  type GenAiSpan,
  type ToolSpan,
} from './gen-ai/gen-ai-telemetry.js';
export type {
  AgentSpanInput,
  AgentSpanResult,
  ApprovalSpanInput,
  ChatContent,
  ChatMessage,
  ChatSpanInput,
  ChatSpanResult,
  ChatTool,
  ChatToolCall,
  TokenUsage,
  ToolSpanInput,
  ToolSpanResult,
} from './gen-ai/span-inputs.js';
export type { SpanAttributes, SpanLink, SpanOptions, TelemetrySpan } from './span.js';
export {
  readTelemetryOptions,
  type GenAiConventions,
  type TelemetryOptions,
  type TelemetrySettings,
} from './telemetry.options.js';
export { telemetry } from './telemetry.js';
