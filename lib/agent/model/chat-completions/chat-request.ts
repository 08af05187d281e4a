import type { OpenAITool } from '../../../palette/index.js';
import type { ModelRequest } from '../model.js';
import type { ModelBodyOptions } from '../request/endpoint-options.js';
import type { ResolvedQuirks } from './chat-completions-quirks.js';
import { chatMessages } from './chat-messages.js';
import { responseFormat } from './response-format.js';

export interface ChatRequestOptions extends ModelBodyOptions<OpenAITool> {
  readonly quirks: ResolvedQuirks;
}

/** The body of one chat completion. Fields that nobody asked for are left out: not every endpoint knows every field. */
export function chatRequest(
  request: ModelRequest,
  options: ChatRequestOptions,
  isStream: boolean,
): Readonly<Record<string, unknown>> {
  const { model, quirks, body } = options;
  return {
    ...body,
    model,
    messages: chatMessages(request, quirks),
    ...toolFields(request, options),
    ...(request.output && { response_format: responseFormat(request.output, quirks.strictTools) }),
    ...(request.maxOutputTokens !== undefined && { [quirks.maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(isStream && { stream: true }),
    ...(isStream && quirks.usageInStream && { stream_options: { include_usage: true } }),
  };
}

/** An empty list of tools is refused, and so is everything about tools where there is none. */
function toolFields(
  { tools, toolChoice }: ModelRequest,
  { tools: told, quirks }: ChatRequestOptions,
): Readonly<Record<string, unknown>> {
  if (tools.length === 0) return {};
  return {
    tools: told.of(tools),
    ...(toolChoice !== undefined && toolChoice !== 'auto' && { tool_choice: toolChoice }),
    ...(quirks.parallelToolCalls !== undefined && { parallel_tool_calls: quirks.parallelToolCalls }),
  };
}
