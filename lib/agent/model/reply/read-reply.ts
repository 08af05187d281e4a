import { sse, type EgressStream, type ServerSentEvent } from '../../../egress/index.js';
import { ModelError, type ModelName } from '../model-error.js';
import type { ModelReply, ModelStreamEvent } from '../model.js';
import { failureIn, providerFailure } from './provider-failure.js';
import { recordOf, type JsonRecord } from './read-json.js';
import type { ReplyAssembly } from './reply-assembly.js';

/** Reads a reply that came whole. */
export function readReply(model: ModelName, assembly: ReplyAssembly, body: unknown): ModelReply {
  const record = recordOf(body);
  if (record === undefined) throw invalid(model, 'it is no JSON object');
  const failure = failureIn(record);
  if (failure !== undefined) throw providerFailure(model, failure);
  assembly.pushWhole(record);
  return assembly.finish();
}

/**
 * Reads a reply from server-sent events, up to the one that says that no more will come, or to the end of the body. Whether the
 * reply is complete is not judged by that but by whether the provider said why it stopped. An event without the blank line
 * that ends it is none: a body that ends there is `egress_stream_interrupted`.
 */
export async function* streamReply(
  model: ModelName,
  assembly: ReplyAssembly,
  stream: EgressStream,
): AsyncGenerator<ModelStreamEvent, void, undefined> {
  for await (const event of sse(stream)) {
    if (event.data.trim() === '[DONE]' || event.event === 'message_stop') break;
    if (event.data.trim() !== '') yield* assembly.push(chunkOf(model, event));
  }
  yield { type: 'reply', reply: assembly.finish() };
}

function chunkOf(model: ModelName, { event, data }: ServerSentEvent): JsonRecord {
  const chunk = recordOf(parsed(data));
  const failure = event === 'error' ? ((chunk && failureIn(chunk)) ?? chunk ?? data) : chunk && failureIn(chunk);
  if (failure !== undefined) throw providerFailure(model, failure);
  if (chunk === undefined) throw invalid(model, 'an event of it is no JSON object');
  return chunk;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function invalid(model: ModelName, what: string): ModelError {
  return new ModelError('model_reply_invalid', model, { parameters: { what } });
}
