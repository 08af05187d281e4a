import type { JsonSchema } from '../common/index.js';
import type { OperationAnnotations } from '../operations/index.js';

/** What a model is told of one operation of a palette. */
export interface ToolDefinition {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments: one closed document, every `$ref` inside it. */
  readonly inputSchema: JsonSchema;
  readonly annotations: Required<OperationAnnotations>;
}

/** What a model asks for. */
export interface ToolCall {
  /** The provider's id of the call; the result carries it back. */
  readonly id: string;
  /** A tool definition's name. */
  readonly name: string;
  /** One JSON object, parsed or as the text that the model wrote. */
  readonly arguments: unknown;
}

/** What a model is told back. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly isError: boolean;
  /** A JSON value; `{ code, message, details? }` where `isError`. */
  readonly content: unknown;
}
