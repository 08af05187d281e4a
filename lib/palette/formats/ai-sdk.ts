import type { ToolCall } from '../tool-definition.js';
import { withArgumentAliases } from './argument-aliases.js';
import { ownedSchema, type ToldTool, type ToolInputSchema } from './told-tool.js';

/**
 * Runs a call of a tool, by dispatching it usually; what it yields is the tool's output. The signal is aborted when the
 * generation is.
 */
export type ToolRunner = (call: ToolCall, signal: AbortSignal | undefined) => Promise<unknown>;

/** What `tool()` of the AI SDK takes, versions 5 and 6. @see https://ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling */
export interface AiSdkTool {
  description: string;
  inputSchema: AiSdkSchema;
}

export interface RunnableAiSdkTool extends AiSdkTool {
  execute: (input: unknown, options: { toolCallId: string; abortSignal?: AbortSignal | undefined }) => Promise<unknown>;
}

/**
 * A Standard Schema that the AI SDK also knows as its own: with what `jsonSchema()` of the package `ai` makes, the JSON
 * Schema goes to providers unchanged. It lets every value pass: arguments are checked when the call is dispatched.
 *
 * @see https://standardschema.dev
 */
export interface AiSdkSchema {
  readonly jsonSchema: ToolInputSchema;
  readonly validate: undefined;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'nestjs-palette';
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** By this the AI SDK knows a schema that `jsonSchema()` made. */
const AI_SDK_SCHEMA = Symbol.for('vercel.ai.schema');

export function aiSdkTool({ definition }: ToldTool): AiSdkTool {
  return { description: definition.description, inputSchema: aiSdkSchema(definition.inputSchema) };
}

export function runnableAiSdkTool(tool: ToldTool, run: ToolRunner): RunnableAiSdkTool {
  const { name } = tool.definition;
  return {
    ...aiSdkTool(tool),
    execute: (input, { toolCallId, abortSignal }) => run({ id: toolCallId, name, arguments: input }, abortSignal),
  };
}

function aiSdkSchema(inputSchema: ToldTool['definition']['inputSchema']): AiSdkSchema {
  const jsonSchema = ownedSchema(withArgumentAliases(inputSchema));
  const copy = (): Record<string, unknown> => structuredClone(jsonSchema);
  return Object.assign({ [AI_SDK_SCHEMA]: true, _type: undefined }, {
    jsonSchema,
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'nestjs-palette',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  } as const);
}
