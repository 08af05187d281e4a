import type { EgressClient } from '../../../egress/index.js';
import { anthropicTool } from '../../../palette/index.js';
import type { Model, ModelReply, ModelRequest, ModelStreamEvent } from '../model.js';
import { readReply, streamReply } from '../reply/read-reply.js';
import { callOptions, type EndpointModelOptions } from '../request/endpoint-options.js';
import { ToldTools } from '../request/told-tools.js';
import { ArgumentNames } from './anthropic-names.js';
import { AnthropicReplyAssembly } from './anthropic-reply-assembly.js';
import { anthropicRequest, type AnthropicRequestOptions } from './anthropic-request.js';
import { anthropicMessage, type AnthropicService } from './anthropic-service.js';

const DEFAULT_MAX_OUTPUT_TOKENS = 8_192;

export interface AnthropicModelOptions extends EndpointModelOptions {
  /** The client of a service that `anthropicService` declares. */
  readonly client: EgressClient<AnthropicService>;
  /** Where a request does not say: this API wants a limit. Default 8_192. */
  readonly maxOutputTokens?: number;
}

/**
 * A model behind Anthropic's messages API, reached through a declared egress service. What it thought goes back with what it
 * said, signed, as long as the conversation stays with this API.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 * @example new AnthropicModel({ client, model: 'claude-sonnet-4-5' })
 */
export class AnthropicModel implements Model {
  readonly name: string;
  readonly provider: string;
  readonly dialect = 'anthropic';
  readonly #client: EgressClient<AnthropicService>;
  readonly #options: EndpointModelOptions;
  readonly #request: AnthropicRequestOptions;

  constructor(options: AnthropicModelOptions) {
    this.name = options.model;
    this.provider = options.provider ?? 'anthropic';
    this.#client = options.client;
    this.#options = options;
    this.#request = {
      model: options.model,
      maxOutputTokens: options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
      body: { ...options.body },
      tools: new ToldTools(anthropicTool),
    };
  }

  async complete(request: ModelRequest): Promise<ModelReply> {
    const names = new ArgumentNames(request.tools);
    const body = anthropicRequest(request, this.#request, names, false);
    const answer = await this.#client.invoke(anthropicMessage, body, callOptions(request, this.#options));
    return readReply(this, new AnthropicReplyAssembly(this, names, request.messages), answer);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const names = new ArgumentNames(request.tools);
    const body = anthropicRequest(request, this.#request, names, true);
    const stream = this.#client.stream(anthropicMessage, body, callOptions(request, this.#options));
    yield* streamReply(this, new AnthropicReplyAssembly(this, names, request.messages), stream);
  }
}
