import { dropOptionalNulls } from '../../../dispatch/arguments/drop-optional-nulls.js';
import type { EgressCallOptions, EgressClient } from '../../../egress/index.js';
import { openAITool } from '../../../palette/formats/index.js';
import type { Model, ModelReply, ModelRequest, ModelStreamEvent, ModelToolCall } from '../model.js';
import { readReply, streamReply } from '../reply/read-reply.js';
import { ToldTools } from '../request/told-tools.js';
import { resolvedQuirks, type ChatCompletionsQuirks, type ResolvedQuirks } from './chat-completions-quirks.js';
import { chatCompletion, type ChatCompletionsService } from './chat-completions-service.js';
import { ChatReplyAssembly } from './chat-reply-assembly.js';
import { chatRequest, type ChatRequestOptions } from './chat-request.js';

export interface ChatCompletionsModelOptions {
  /** The client of a service that `chatCompletionsService` declares. */
  readonly client: EgressClient<ChatCompletionsService>;
  /** As the endpoint knows it: `gpt-5-mini`, say. */
  readonly model: string;
  /** As telemetry knows it. Default `openai`. */
  readonly provider?: string;
  readonly quirks?: ChatCompletionsQuirks;
  /** Constant fields of each request, such as `reasoning_effort`. What this class writes itself wins. Default none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** For a whole reply, in milliseconds. Default: that of the service. */
  readonly timeoutMs?: number;
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
  readonly #timeoutMs: number | undefined;
  readonly #request: ChatRequestOptions;

  constructor(options: ChatCompletionsModelOptions) {
    this.name = options.model;
    this.provider = options.provider ?? 'openai';
    this.#client = options.client;
    this.#quirks = resolvedQuirks(options.quirks ?? {});
    this.#timeoutMs = options.timeoutMs;
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
    const answer = await this.#client.invoke(chatCompletion, body, this.#callOptions(request));
    return this.#told(readReply(this, this.#assembly(request), answer), request);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const body = chatRequest(request, this.#request, true);
    const stream = this.#client.stream(chatCompletion, body, this.#callOptions(request));
    for await (const event of streamReply(this, this.#assembly(request), stream)) {
      yield event.type === 'reply' ? { type: 'reply', reply: this.#told(event.reply, request) } : event;
    }
  }

  #assembly({ messages }: ModelRequest): ChatReplyAssembly {
    return new ChatReplyAssembly(this, this.#quirks, messages);
  }

  #callOptions({ signal, deadline }: ModelRequest): EgressCallOptions {
    return { signal, deadline, timeoutMs: this.#timeoutMs };
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
