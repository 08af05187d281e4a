import type { JsonSchema } from '../../common/index.js';
import { mapSchema } from './map-schema.js';
import { isRefusedPattern } from './strict/strict-keywords.js';
import { strictSchema, type StrictSchema } from './strict/strict-schema.js';
import { withSentences } from './strict/strict-union.js';
import { ownedSchema, type ToldTool, type ToolInputSchema } from './told-tool.js';

export interface OpenAIFormatOptions {
  /**
   * Whether the model is held to the schemas while it writes. A tool whose schema strict mode cannot carry stays as it is,
   * with `strict: false`; `palette.strictObstacles` tells why. Default: false.
   */
  readonly strict?: boolean;
}

/** A tool of OpenAI's chat completions. @see https://platform.openai.com/docs/api-reference/chat/create */
export interface OpenAITool {
  type: 'function';
  function: {
    name: string;
    description: string;
    parameters: ToolInputSchema;
    /** Absent where strict mode was not asked for. */
    strict?: boolean;
  };
}

export function openAITool(tool: ToldTool, options: OpenAIFormatOptions = {}): OpenAITool {
  const { name, description, inputSchema } = tool.definition;
  const strict = options.strict ? strictFormOf(tool) : undefined;
  const schema = strict !== undefined && 'schema' in strict ? strict.schema : withoutRefusedKeywords(inputSchema);
  const told = { name, description, parameters: ownedSchema(schema) };
  return { type: 'function', function: strict === undefined ? told : { ...told, strict: 'schema' in strict } };
}

const STRICT_FORMS = new WeakMap<ToldTool, StrictSchema>();

/** Written once: a loop asks for it at every turn. */
export function strictFormOf(tool: ToldTool): StrictSchema {
  const known = STRICT_FORMS.get(tool) ?? strictSchema(tool.definition.inputSchema, tool);
  STRICT_FORMS.set(tool, known);
  return known;
}

/** The endpoint refuses a request for `oneOf` and for patterns that look around, also where no tool is strict. */
function withoutRefusedKeywords(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    const { oneOf, pattern, ...rest } = each;
    const union = oneOf !== undefined && rest.anyOf === undefined ? { anyOf: oneOf } : {};
    if (!isRefusedPattern(pattern)) return { ...rest, ...union, ...(pattern !== undefined && { pattern }) };
    return withSentences({ ...rest, ...union }, [`Must match ${String(pattern)}.`]);
  });
}
