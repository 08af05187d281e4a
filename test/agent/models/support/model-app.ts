import type { INestApplicationContext } from '@nestjs/common';
import {
  anthropicService,
  AnthropicModel,
  ChatCompletionsModel,
  chatCompletionsService,
  type AnthropicModelOptions,
  type ChatCompletionsModelOptions,
  type EgressRetryOptions,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ModelStreamEvent,
} from '../../../../lib/index.js';
import { egressApp } from '../../../egress/support/egress-app.js';
import { startUpstream, type Answer, type Upstream } from '../../../egress/support/upstream.js';

/** A provider on this machine, and an application whose egress leads to it. */
export interface ModelApp {
  readonly upstream: Upstream;
  chat(options?: Partial<ChatCompletionsModelOptions>): ChatCompletionsModel;
  anthropic(options?: Partial<AnthropicModelOptions>): AnthropicModel;
  /** The JSON body of the newest request. */
  lastBody(): Record<string, unknown>;
  close(): Promise<void>;
}

export async function startModelApp(retries: EgressRetryOptions = {}): Promise<ModelApp> {
  const upstream = await startUpstream();
  const chat = await egressApp(chatCompletionsService(), { baseUrl: `${upstream.origin}/v1`, retries });
  const anthropic = await egressApp(anthropicService(), { baseUrl: upstream.origin, retries });
  const apps: INestApplicationContext[] = [chat.app, anthropic.app];
  return {
    upstream,
    chat: (options) => new ChatCompletionsModel({ client: chat.client, model: 'asked', ...options }),
    anthropic: (options) => new AnthropicModel({ client: anthropic.client, model: 'asked', ...options }),
    lastBody: () => JSON.parse(upstream.requests.at(-1)?.body ?? 'null') as Record<string, unknown>,
    close: async () => {
      await Promise.all(apps.map((app) => app.close()));
      await upstream.close();
    },
  };
}

export const question: ModelRequest = { messages: [{ role: 'user', text: 'What is the weather?' }], tools: [] };

/** Answers with an event stream in these pieces, each in a write of its own. */
export function streamed(...pieces: readonly (string | Uint8Array)[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = ([piece, ...rest]: readonly (string | Uint8Array)[]): void => {
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(write, rest));
    };
    write(pieces);
  };
}

/** The bytes of events without a type, ended by `[DONE]`, as chat completions have them. */
export function chatEvents(...chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

/** The bytes of events with a type, as Anthropic's messages have them. */
export function typedEvents(...events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

export interface Streamed {
  readonly reply: ModelReply | undefined;
  readonly text: string;
  readonly reasoning: string;
}

/** Reads a stream to its end; fails where anything follows the reply. */
export async function readStream(model: Model, request = question): Promise<Streamed> {
  let reply: ModelReply | undefined;
  let text = '';
  let reasoning = '';
  for await (const event of model.stream?.(request) ?? []) {
    if (reply !== undefined) throw new Error('an event follows the reply');
    if (event.type === 'reply') reply = event.reply;
    else if (event.type === 'text_delta') text += event.text;
    else reasoning += event.text;
  }
  return { reply, text, reasoning };
}

/** The events until the stream fails, and what it failed with. */
export async function readFailure(
  model: Model,
  request = question,
): Promise<{ events: ModelStreamEvent[]; error: unknown }> {
  const events: ModelStreamEvent[] = [];
  try {
    for await (const event of model.stream?.(request) ?? []) events.push(event);
  } catch (error) {
    return { events, error };
  }
  throw new Error('the stream did not fail');
}

/** A value after it was in a store. */
export function stored(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
