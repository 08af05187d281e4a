import type { Model, ModelReply, ModelStreamEvent } from 'nestjs-palette';
import type { Clock } from '../../../../lib/common/index.js';

/** A piece of text, or the end, each so many milliseconds after what came before it. */
export type Paced = readonly [afterMs: number, piece: string];

const wait = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

export const replyOf = (text: string): ModelReply => ({
  text,
  toolCalls: [],
  finishReason: 'stop',
  usage: {},
  model: 'paced',
});

/** A model that streams pieces at times of a test's choice. It does not listen to its signal. */
export function pacedModel(clock: Clock, pieces: readonly Paced[], endAfterMs = 0): Model {
  async function* stream(): AsyncGenerator<ModelStreamEvent, void, undefined> {
    for (const [afterMs, text] of pieces) {
      if (afterMs > 0) await wait(clock, afterMs);
      yield { type: 'text_delta', text };
    }
    if (endAfterMs > 0) await wait(clock, endAfterMs);
    yield { type: 'reply', reply: replyOf(pieces.map(([, text]) => text).join('')) };
  }
  return { name: 'paced', provider: 'test', complete: () => Promise.reject(new Error('it is streamed from')), stream };
}

/** A model that answers nothing, ever, whatever its signal says. */
export function hangingModel(how: 'complete' | 'stream'): Model {
  const never = new Promise<never>(() => undefined);
  const hanging = { name: 'hanging', provider: 'test', complete: () => never };
  const iterator = { next: () => never, return: () => never };
  return how === 'complete' ? hanging : { ...hanging, stream: () => ({ [Symbol.asyncIterator]: () => iterator }) };
}
