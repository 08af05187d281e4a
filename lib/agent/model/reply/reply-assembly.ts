import type { ModelReply, ModelStreamEvent } from '../model.js';
import type { JsonRecord } from './read-json.js';

export type ModelDelta = Exclude<ModelStreamEvent, { readonly type: 'reply' }>;

/** Puts a reply together from what a provider sends, in its order. Nothing of it is final before `finish`. */
export interface ReplyAssembly {
  /** Takes one chunk of a stream and tells what it adds to text and reasoning. */
  push(chunk: JsonRecord): readonly ModelDelta[];
  /** Takes a whole reply. */
  pushWhole(body: JsonRecord): void;
  /** @throws ModelError `model_interrupted` where the provider did not say why it stopped, `model_reply_invalid` */
  finish(): ModelReply;
}
