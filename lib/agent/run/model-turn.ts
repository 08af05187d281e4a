import type { Clock } from '../../common/index.js';
import type { ChatSpan, GenAiTelemetry } from '../../telemetry/index.js';
import { ModelError, type Model, type ModelReply, type ModelRequest, type ModelStreamEvent } from '../model/index.js';
import type { RunTimeouts } from './run-limits.js';
import { pausedLimit, timeLimit, untilAborted, type TimeLimit } from './time-limit.js';

export interface ModelTurn {
  readonly model: Model;
  /** Without its signal, which is `signal`. */
  readonly request: Omit<ModelRequest, 'signal'>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timeouts: RunTimeouts;
  readonly telemetry: GenAiTelemetry;
  readonly conversationId: string | undefined;
}

/**
 * Asks a model once: streamed from where it can be. Yields what it says, as it says it, and ends with the whole.
 * @throws what the model throws; the reason of `signal` where that aborts; AgentError `agent_timed_out`
 */
export async function* modelTurn(turn: ModelTurn): AsyncGenerator<string, ModelReply, undefined> {
  const span = startChat(turn);
  try {
    const reply = turn.model.stream === undefined ? await completed(turn, span) : yield* streamed(turn, span);
    checkReply(reply, turn.model);
    span.end(reply);
    return reply;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    // Where the reader stops reading, neither of the two has happened.
    span.end({});
  }
}

async function completed({ model, request, signal }: ModelTurn, span: ChatSpan): Promise<ModelReply> {
  return untilAborted(
    span.run(() => model.complete({ ...request, signal })),
    signal,
  );
}

async function* streamed(turn: ModelTurn, span: ChatSpan): AsyncGenerator<string, ModelReply, undefined> {
  const { model, request, timeouts, clock } = turn;
  const isTimed = (timeouts.firstChunkMs ?? timeouts.betweenChunksMs) !== undefined;
  const limitOf = isTimed ? pausedLimit : timeLimit;
  const limit = limitOf(clock, turn.signal, timeouts.firstChunkMs, 'the first sign of a reply');
  const stream = (model.stream as NonNullable<Model['stream']>)({ ...request, signal: limit.signal });
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const event = await nextEvent(iterator, limit, span);
      if (event === undefined)
        throw new ModelError('model_interrupted', model, { parameters: { what: 'without an end' } });
      if (event.type === 'reply') return event.reply;
      span.firstChunk();
      // What the reader takes its time with is not the model's.
      limit.pause();
      if (event.type === 'text_delta' && event.text !== '') yield event.text;
      limit.restart(timeouts.betweenChunksMs, 'the time between two pieces of a reply');
    }
  } finally {
    limit.end();
    // Not awaited: a stream that hangs would hold up whoever leaves it.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function nextEvent(
  iterator: AsyncIterator<ModelStreamEvent>,
  { signal }: TimeLimit,
  span: ChatSpan,
): Promise<ModelStreamEvent | undefined> {
  const next = await untilAborted(
    span.run(() => iterator.next()),
    signal,
  );
  return next.done === true ? undefined : next.value;
}

/** A reply that says nothing is none, and one that was cut off in the middle of its calls is not to be acted on. */
function checkReply(reply: ModelReply, model: Model): void {
  const { text, toolCalls, finishReason, refusal } = reply;
  if (toolCalls.length > 0 && (finishReason === 'length' || finishReason === 'content_filter')) {
    throw new ModelError('model_interrupted', model, { parameters: { what: `in its tool calls (${finishReason})` } });
  }
  if (text.trim() === '' && toolCalls.length === 0 && (refusal ?? '').trim() === '') {
    throw new ModelError('model_reply_invalid', model, { parameters: { what: 'it says nothing and calls nothing' } });
  }
}

function startChat({ model, request, telemetry, conversationId }: ModelTurn): ChatSpan {
  return telemetry.startChat({
    model: model.name,
    provider: model.provider,
    conversationId,
    isStreamed: model.stream !== undefined,
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    outputType: request.output === undefined ? 'text' : 'json',
    content: () => request,
  });
}
