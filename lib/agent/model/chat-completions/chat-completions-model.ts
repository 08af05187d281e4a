import { dropOptionalNulls } from '../../../dispatch/index.js';
import type { EgressClient } from '../../../egress/index.js';
import { openAITool } from '../../../palette/index.js';
import type { Model, ModelReply, ModelRequest, ModelStreamEvent, ModelToolCall } from '../model.js';
import { readReply, streamReply } from '../reply/read-reply.js';
import { callOptions, type EndpointModelOptions } from '../request/endpoint-options.js';
import { ToldTools } from '../request/told-tools.js';
import { resolvedQuirks, type ChatCompletionsQuirks, type ResolvedQuirks } from './chat-completions-quirks.js';
import { chatCompletion, type ChatCompletionsService } from './chat-completions-service.js';
import { ChatReplyAssembly } from './chat-reply-assembly.js';
import { chatRequest, type ChatRequestOptions } from './chat-request.js';

export interface ChatCompletionsModelOptions extends EndpointModelOptions {
  /** The client of a service that `chatCompletionsService` declares. */
  readonly client: EgressClient<ChatCompletionsService>;
  readonly quirks?: ChatCompletionsQuirks;
}

/**
 * A model behind an OpenAI-compatible endpoint, reached through a declared egress service.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 * @example new ChatCompletionsModel({ client, model: 'gpt-5-mini' })
 */
export class ChatCompletionsModel implements Model {
  readonly name: string;
  readonly provider: string;
  readonly #client: EgressClient<ChatCompletionsService>;
  readonly #quirks: ResolvedQuirks;
  readonly #options: EndpointModelOptions;
  readonly #request: ChatRequestOptions;

  constructor(options: ChatCompletionsModelOptions) {
    this.name = options.model;
    this.provider = options.provider ?? 'openai';
    this.#client = options.client;
    this.#quirks = resolvedQuirks(options.quirks ?? {});
    this.#options = options;
    const strict = this.#quirks.strictTools;
    this.#request = {
      model: options.model,
      quirks: this.#quirks,
      body: { ...options.body },
      tools: new ToldTools((tool) => openAITool(tool, { strict })),
    };
  }

  async complete(request: ModelRequest): Promise<ModelReply> {
    const body = chatRequest(request, this.#request, false);
    const answer = await this.#client.invoke(chatCompletion, body, callOptions(request, this.#options));
    return this.#told(readReply(this, this.#assembly(request), answer), request);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const body = chatRequest(request, this.#request, true);
    const stream = this.#client.stream(chatCompletion, body, callOptions(request, this.#options));
    for await (const event of streamReply(this, this.#assembly(request), stream)) {
      yield event.type === 'reply' ? { type: 'reply', reply: this.#told(event.reply, request) } : event;
    }
  }

  #assembly({ messages }: ModelRequest): ChatReplyAssembly {
    return new ChatReplyAssembly(this, this.#quirks, messages);
  }

  /** In strict mode a model writes null for what it leaves out. */
  #told(reply: ModelReply, { tools }: ModelRequest): ModelReply {
    if (!this.#quirks.strictTools || reply.toolCalls.length === 0) return reply;
    const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    const toolCalls = reply.toolCalls.map((call): ModelToolCall => {
      const schema = schemas.get(call.name);
      if (schema === undefined) return call;
      return { ...call, arguments: dropOptionalNulls(call.arguments, { schema, nullMeansAbsent: false }) };
    });
    return { ...reply, toolCalls };
  }
}
