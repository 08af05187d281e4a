import type { AnthropicTool } from '../../../palette/index.js';
import type { ModelRequest } from '../model.js';
import type { ModelBodyOptions } from '../request/endpoint-options.js';
import { anthropicMessages } from './anthropic-messages.js';
import type { ArgumentNames } from './anthropic-names.js';
import type { AnthropicBody } from './anthropic-service.js';
import { calledTools } from './called-tools.js';

const VERSION = '2023-06-01';
const TOOL_CHOICES = { none: 'none', required: 'any' } as const;

export interface AnthropicRequestOptions extends ModelBodyOptions<AnthropicTool> {
  readonly maxOutputTokens: number;
}

/** The body of one message, and the header that goes with it. */
export function anthropicRequest(
  request: ModelRequest,
  options: AnthropicRequestOptions,
  names: ArgumentNames,
  isStream: boolean,
): AnthropicBody {
  const { system, messages, output, maxOutputTokens, temperature } = request;
  return {
    ...options.body,
    anthropicVersion: VERSION,
    model: options.model,
    max_tokens: maxOutputTokens ?? options.maxOutputTokens,
    ...(system !== undefined && system !== '' && { system }),
    messages: anthropicMessages(messages, names),
    ...toolFields(request, options),
    ...(output && { output_config: outputConfig(options, output.schema) }),
    ...(temperature !== undefined && { temperature }),
    ...(isStream && { stream: true }),
  };
}

function toolFields(
  { messages, tools, toolChoice }: ModelRequest,
  { tools: told }: AnthropicRequestOptions,
): Readonly<Record<string, unknown>> {
  const called = tools.length > 0 ? [] : calledTools(messages);
  if (called.length > 0) return { tools: called, tool_choice: { type: TOOL_CHOICES.none } };
  if (tools.length === 0) return {};
  return {
    tools: told.of(tools),
    ...(toolChoice !== undefined && toolChoice !== 'auto' && { tool_choice: { type: TOOL_CHOICES[toolChoice] } }),
  };
}

/** The effort of the model stands in the same place as the shape of its answer. */
function outputConfig({ body }: AnthropicRequestOptions, schema: unknown): Readonly<Record<string, unknown>> {
  return { ...(body['output_config'] as object | undefined), format: { type: 'json_schema', schema } };
}
