import type { EgressCallOptions } from '../../../egress/index.js';
import type { ModelRequest } from '../model.js';
import type { ToldTools } from './told-tools.js';

/** What models have in common that are reached through an egress service. */
export interface EndpointModelOptions {
  /** As the endpoint knows it: `gpt-5-mini` or `claude-sonnet-4-5`, say. */
  readonly model: string;
  /** As telemetry knows it. Default: `openai` or `anthropic`, as the class has it. */
  readonly provider?: string;
  /** Constant fields of each request, such as `reasoning_effort` or `thinking`. What the class writes itself wins. Default none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** For a whole reply, in milliseconds. Default: that of the service. */
  readonly timeoutMs?: number;
}

/** What each body of one model is made with. */
export interface ModelBodyOptions<Tool> {
  readonly model: string;
  /** Constant fields of the body; those that a request sets win. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly tools: ToldTools<Tool>;
}

/** How the call of a request is limited. */
export function callOptions(
  { signal, deadline }: ModelRequest,
  { timeoutMs }: EndpointModelOptions,
): EgressCallOptions {
  return { signal, deadline, timeoutMs };
}
